package block

import (
	"hostlock/machine/param"
)

// Memory hands out physical pages in a given pattern.
type Memory struct {
	run  int // pages that lie side by side; 0: all of them
	next uint64
	left int
}

// Patterns of [Memory].
const (
	apart      = "apart"
	runs       = "runs"
	contiguous = "contiguous"
)

// Params declares what the block layer depends on.
func Params() []param.Spec {
	return []param.Spec{
		{Name: "block.pages", Kind: param.Choice, Default: apart, Choices: []string{apart, runs, contiguous},
			About: "how the pages of a buffer lie in memory: each one apart, in runs of block.run pages, or all side by side", Source: "a choice: the worst case, which the thread on larger scatter/gather lists is about"},
		{Name: "block.run", Kind: param.Int, Default: "8", Min: 1, Max: 1 << 16,
			About: "pages that lie side by side, with block.pages=runs", Source: "a choice"},
		{Name: "block.segment_limit", Kind: param.Choice, Default: "queue", Choices: []string{"queue", "none"},
			About: "whether requests are built within the queue's limits of segments; none makes requests that no table may hold", Source: "a choice: none shows what limits that do not compose lead to, with midlayer.oversize"},
		{Name: "block.page_cpu", Kind: param.Duration, Default: "50ns",
			About: "processor time a page: bio_add_page, and its entry in the table", Source: "assumed: a few dozen instructions; no source gives it"},
	}
}

// NewMemory makes a source of pages as the parameters say.
func NewMemory(p *param.Set) *Memory {
	switch p.Choice("block.pages") {
	case contiguous:
		return &Memory{}
	case runs:
		return &Memory{run: p.Int("block.run")}
	}
	return &Memory{run: 1}
}

// memoryWrap keeps addresses below 4 GiB, in pages: 32-bit adapters reach
// them all.
const memoryWrap = 1 << 20

// Page is the physical address of a new page.
func (m *Memory) Page() uint64 {
	if m.left == 0 && m.run > 0 {
		m.left = m.run
		m.next++ // a hole
	}
	m.left--
	at := m.next % memoryWrap
	m.next++
	return at * PageSize
}

// Buffer begins a new buffer: what comes next does not lie behind what came
// before.
func (m *Memory) Buffer() {
	m.left = 0
	m.next++
}

// Back takes the last page back: the next Page is the same again.
func (m *Memory) Back() {
	m.left++
	m.next--
}
