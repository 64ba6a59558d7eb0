package pagecache

import (
	"hostlock/machine/param"
)

// Params declares what the cache depends on; block.Params must be declared
// beside it.
func Params() []param.Spec {
	return []param.Spec{
		{Name: "cache.size", Kind: param.Bytes, Default: "256m", Min: 1 << 20, Max: 1 << 40, About: "memory that may hold pages", Source: "a choice: smaller than what a test reads, as a test should be"},
		{Name: "cache.read_ahead", Kind: param.Bytes, Default: "128k", Max: 64 << 20, About: "largest read-ahead window (read_ahead_kb); 0 reads what is asked for", Source: "VM_MAX_READAHEAD 128 [K]"},
		{Name: "cache.background_ratio", Kind: param.Float, Default: "10", Max: 100, Unit: "%", About: "share of the cache that may be dirty before the flusher begins", Source: "dirty_background_ratio 10 [K]"},
		{Name: "cache.dirty_ratio", Kind: param.Float, Default: "20", Max: 100, Unit: "%", About: "share that may be dirty before a writer has to wait", Source: "dirty_ratio 20 since 2.6.30 [K]"},
		{Name: "cache.writeback_interval", Kind: param.Duration, Default: "5s", Min: 1e6, Max: 3.6e12, About: "how often the flusher looks for old pages", Source: "dirty_writeback_centisecs 500 [K]"},
		{Name: "cache.dirty_expire", Kind: param.Duration, Default: "30s", Max: 3.6e12, About: "age at which a dirty page is written back whatever their number", Source: "dirty_expire_centisecs 3000 [K]"},
		{Name: "cache.page_cpu", Kind: param.Duration, Default: "300ns", About: "processor time to find a page, and to allocate or free one", Source: "assumed: a radix-tree walk; no source gives it"},
		{Name: "cache.copy", Kind: param.Duration, Default: "250ns", About: "processor time to copy 1 KiB between a page and the program", Source: "4 GB/s, a memcpy of 2010 [K]"},
	}
}
