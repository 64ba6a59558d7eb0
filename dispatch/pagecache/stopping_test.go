package pagecache

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch/block"
	"hostlock/machine"
)

// Writers that wait for fewer dirty pages when the run stops come to their end,
// though the flusher has nothing more to do.
func TestWritersEndWithAStoppingFlusher(t *testing.T) {
	for _, size := range []string{"1m", "2m"} {
		for _, d := range []time.Duration{1, 3, 7, 20} {
			t.Run(size+"/"+strconv.Itoa(int(d)), func(t *testing.T) {
				r := newRig(t, map[string]string{"cache.size": size})
				for n := range 8 {
					r.m.Go("writer/"+strconv.Itoa(n), n, false, func(th *machine.Thread) {
						f := r.c.Open(r.sys.Devices()[0], block.NewPlug(r.sys, r.sys.NewIssuer(th), r.p))
						for at := int64(n) << 20; !r.m.Stopping(); at += 64 << 10 {
							require.NoError(t, f.Write(th, at, 64<<10))
						}
						require.NoError(t, f.Close(th))
					})
				}
				_, err := r.m.Run(context.Background(), machine.Course{Duration: d * time.Millisecond, Begin: r.sys.BeginWindow, End: r.sys.EndWindow})
				require.NoError(t, err)
				require.Zero(t, r.sys.Ledger().Lost)
			})
		}
	}
}

// A background limit above that of the writers would let these wait until pages
// have grown old.
func TestTheBackgroundLimitIsBelowTheWriters(t *testing.T) {
	r := newRig(t, map[string]string{"cache.background_ratio": "90", "cache.dirty_ratio": "10"})
	require.Less(t, r.c.background, r.c.limit)
}
