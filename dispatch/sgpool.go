package dispatch

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// How scatter/gather tables came about, by release.
const (
	sgChained = "chained" // 2.6.24 and later: tables of 128 entries, linked
	sgPools   = "pools"   // 2.6.20: one table a command, from the pool of its size
)

// Limits of the two ways [S20] [S24].
const (
	sgChainLimit = 2048 // SCSI_MAX_SG_CHAIN_SEGMENTS
	sgChunk      = 128  // SCSI_MAX_SG_SEGMENTS: entries of a table in a chain
	sgPoolLimit  = 256  // largest pool of 2.6.20
	sgLargeLimit = 1024 // largest with SCSI_LARGE_SG; above it the kernel does not build
	sgDefault    = 128  // MAX_PHYS_SEGMENTS
	sgSmallest   = 8
)

// sgTables is where the tables of all hosts come from.
type sgTables struct {
	way      string
	failRate float64 // of allocations that find no memory but the reserve
	livelock bool    // oversize requests are let in, as 2.6.20 did
	pools    []sgPool
	stuck    atomic.Int64 // attempts at requests that no table can hold
	deferred atomic.Int64 // attempts that found neither memory nor reserve
	counted  bool
}

// sgPool is the pool of tables of one size (mempool_t): memory where there is
// some, else one of the tables in reserve.
type sgPool struct {
	size    int
	min     int64
	reserve machine.Word // tables in reserve
	taken   atomic.Int64 // tables handed out in the whole run
	used    atomic.Int64 // of them from the reserve
	line    *machine.Line
}

// sgParams declares what the tables depend on.
func sgParams() []param.Spec {
	return []param.Spec{
		{Name: "midlayer.sg", Kind: param.Choice, Default: sgChained, Choices: []string{sgChained, sgPools},
			About: "scatter/gather tables: chained (2.6.24 and later, up to 2048 entries), or one from the pool of its size (2.6.20)", Source: "S24 brought chains; S35 has one limit of segments"},
		{Name: "midlayer.large_sg", Kind: param.Bool, Default: "false",
			About: "SCSI_LARGE_SG: pools of 512 and 1024 entries, for midlayer.sg=pools", Source: "the patch of February 2007"},
		{Name: "midlayer.max_phys_segments", Kind: param.Int, Default: "0", Max: 1 << 16,
			About: "SCSI_MAX_PHYS_SEGMENTS, for midlayer.sg=pools; 0 is the option's own, 128 or 1024", Source: "S20: MAX_PHYS_SEGMENTS 128"},
		{Name: "midlayer.sg_alloc_failures", Kind: param.Float, Default: "0", Max: 1,
			About: "share of table allocations that find no memory and turn to the pool's reserve", Source: "a choice: memory is plenty; set it to exercise the reserve"},
		{Name: "midlayer.sg_reserve", Kind: param.Int, Default: "-1", Min: -1, Max: 1 << 16,
			About: "tables in reserve a pool; -1 is the release's own: 32 for pools, 2 for chains", Source: "S20: 32; S24: 2"},
		{Name: "midlayer.oversize", Kind: param.Choice, Default: "error", Choices: []string{"error", "livelock"},
			About: "a request with more segments than any table: the lab's error, or put off for ever as 2.6.20 did", Source: "S20: scsi_alloc_sgtable returns NULL, which is taken for a lack of memory [derived]"},
	}
}

// newSGTables makes the pools. Its error says which option is beyond what
// that kernel could have been built with.
func newSGTables(p *param.Set) (*sgTables, error) {
	s := &sgTables{
		way: p.Choice("midlayer.sg"), failRate: p.Float("midlayer.sg_alloc_failures"),
		livelock: p.Choice("midlayer.oversize") == "livelock",
	}
	largest, reserve := sgChunk, 2
	if s.way == sgPools {
		limit, err := physLimit(p)
		if err != nil {
			return nil, err
		}
		largest, reserve = limit, 32
	}
	s.counted = s.way == sgPools
	if n := p.Int("midlayer.sg_reserve"); n >= 0 {
		reserve = n
	}
	for size := sgSmallest; ; size *= 2 {
		s.pools = append(s.pools, sgPool{size: size, min: int64(reserve)})
		if size >= largest {
			break
		}
	}
	for i := range s.pools {
		pool := &s.pools[i]
		pool.line = machine.NewLine("sgpool")
		pool.reserve.Init(pool.line, uint64(reserve))
	}
	return s, nil
}

// physLimit is SCSI_MAX_PHYS_SEGMENTS of a kernel with pools.
func physLimit(p *param.Set) (int, error) {
	n, most, def := p.Int("midlayer.max_phys_segments"), sgPoolLimit, sgDefault
	if p.Bool("midlayer.large_sg") {
		most, def = sgLargeLimit, sgLargeLimit
	}
	if n == 0 {
		return def, nil
	}
	if n < 32 || n > most || n&(n-1) != 0 {
		return 0, param.Errorf("midlayer.max_phys_segments", fmt.Sprintf("a power of 2, 32 to %d%s", most, hintLarge(most)), "midlayer.max_phys_segments=%d", n)
	}
	return n, nil
}

func hintLarge(most int) string {
	if most == sgPoolLimit {
		return " (1024 with midlayer.large_sg=true)"
	}
	return ""
}

// sgLimit is the largest sg_tablesize that a kernel with these options takes.
func sgLimit(p *param.Set) (int, string) {
	if p.Choice("midlayer.sg") == sgChained {
		return sgChainLimit, "with chained tables"
	}
	if p.Bool("midlayer.large_sg") {
		return sgLargeLimit, "with midlayer.large_sg=true; the kernel does not build with more"
	}
	return sgPoolLimit, "with midlayer.sg=pools; 1024 with midlayer.large_sg=true"
}

// tables is how many tables a command of n segments needs: one from a pool,
// or a chain in which all but the last give an entry to the link.
func (s *sgTables) tables(n int) int {
	if s.way == sgPools || n <= sgChunk {
		return 1
	}
	return (n + sgChunk - 3) / (sgChunk - 1)
}

// poolOf finds the pool for n entries by the round-up logarithm [S35]; the
// tables of a chain are of the largest.
func (s *sgTables) poolOf(n int) *sgPool {
	i := 0
	if n > sgSmallest {
		i = bits.Len(uint(n-1)) - 3
	}
	return &s.pools[min(i, len(s.pools)-1)]
}

// alloc takes the tables of a command, and reports whether it got them all.
// It is called where the request is prepared, and may not wait (GFP_ATOMIC).
func (s *sgTables) alloc(t *machine.Thread, cmd *Command) bool {
	n := cmd.Request.Segments
	if n == 0 || !s.counted && s.failRate == 0 && !s.livelock {
		return true
	}
	if n > cmd.Device().MaxSegments() {
		s.stuck.Add(1)
		return false
	}
	pool := s.poolOf(n)
	for i := range s.tables(n) {
		if !s.take(t, pool) {
			for range i {
				s.give(t, pool)
			}
			s.deferred.Add(1)
			return false
		}
	}
	cmd.tables = s.tables(n)
	return true
}

func (s *sgTables) take(t *machine.Thread, pool *sgPool) bool {
	if s.failRate > 0 && t.Rand().Float64() < s.failRate {
		for {
			left := pool.reserve.Load(t)
			if left == 0 {
				return false
			}
			if pool.reserve.CAS(t, left, left-1) {
				pool.used.Add(1)
				break
			}
		}
	}
	pool.taken.Add(1)
	return true
}

// free gives a command's tables back; the reserve is filled up first
// (mempool_free).
func (s *sgTables) free(t *machine.Thread, cmd *Command) {
	if cmd.tables == 0 {
		return
	}
	pool := s.poolOf(cmd.Request.Segments)
	for range cmd.tables {
		s.give(t, pool)
	}
	cmd.tables = 0
}

func (s *sgTables) give(t *machine.Thread, pool *sgPool) {
	if s.failRate == 0 {
		return // nothing was ever taken from the reserve
	}
	for {
		left := pool.reserve.Load(t)
		if int64(left) >= pool.min || pool.reserve.CAS(t, left, left+1) {
			return
		}
	}
}

// SGPools lists the pools, and how many allocations found nothing and put
// their request off. Counted only with midlayer.sg=pools, or with allocation
// failures.
func (sys *System) SGPools() (pools []tally.SGPool, deferred int64) {
	for i := range sys.sg.pools {
		p := &sys.sg.pools[i]
		pools = append(pools, tally.SGPool{Entries: p.size, Taken: p.taken.Load(), FromReserve: p.used.Load(), Reserve: int64(p.reserve.Peek())})
	}
	return pools, sys.sg.deferred.Load()
}

// Livelocked is how often a request was tried that no table can ever hold.
func (sys *System) Livelocked() int64 { return sys.sg.stuck.Load() }
