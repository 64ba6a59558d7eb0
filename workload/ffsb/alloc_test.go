package ffsb

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Once everything is there, a block costs no allocation.
func TestBlocksDoNotAllocate(t *testing.T) {
	if raced {
		t.Skip("the race detector allocates, too")
	}
	w := builtin(t, "headline")
	measure := func(d time.Duration) (mallocs, blocks float64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := bench{luns: 16, duration: d}.run(t, w)
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs), float64(r.counts()["transactions"])
	}
	shortMallocs, shortBlocks := measure(200 * time.Millisecond)
	longMallocs, longBlocks := measure(500 * time.Millisecond)
	require.Greater(t, longBlocks-shortBlocks, 10000.)
	require.Less(t, (longMallocs-shortMallocs)/(longBlocks-shortBlocks), 0.02)
}
