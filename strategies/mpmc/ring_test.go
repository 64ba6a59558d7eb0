package mpmc_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
	"hostlock/strategies/mpmc"
)

// TestIsABoundedQueue compares the ring with a slice, operation by operation.
func TestIsABoundedQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Anywhere, but near an edge half of the time.
		start := rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.SampledFrom(mpmc.Starts), func(s uint64) uint64 {
			return s - rapid.Uint64Range(0, 40).Draw(t, "before")
		})).Draw(t, "start")
		r := mpmc.NewAt("test", rapid.IntRange(1, 9).Draw(t, "capacity"), start)
		var th machine.Thread
		var model []uint32
		fill := rapid.SliceOfN(rapid.Uint32(), 0, r.Cap()).Draw(t, "fill")
		r.Fill(fill...)
		model = append(model, fill...)
		t.Repeat(map[string]func(*rapid.T){
			"enqueue": func(t *rapid.T) {
				v := rapid.Uint32().Draw(t, "v")
				ok := r.Enqueue(&th, v)
				require.Equal(t, len(model) < r.Cap(), ok)
				if ok {
					model = append(model, v)
				}
			},
			"dequeue": func(t *rapid.T) {
				v, ok := r.Dequeue(&th)
				require.Equal(t, len(model) > 0, ok)
				if ok {
					require.Equal(t, model[0], v)
					model = model[1:]
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(model) == 0, r.Empty(&th))
				require.Equal(t, len(model), r.Len(&th))
			},
		})
	})
}

// TestEachValueOnce: what real goroutines put in comes out once, and what one
// of them put in comes out in its order.
func TestEachValueOnce(t *testing.T) {
	const producers, consumers, each = 4, 4, 3000
	r := mpmc.New("test", 8)
	var in, out sync.WaitGroup
	got := make([][]uint32, consumers)
	done := make(chan struct{})
	for c := range consumers {
		out.Go(func() {
			var th machine.Thread
			for {
				if v, ok := r.Dequeue(&th); ok {
					got[c] = append(got[c], v)
					continue
				}
				select {
				case <-done:
					if r.Empty(&th) {
						return
					}
				default:
				}
			}
		})
	}
	for p := range producers {
		in.Go(func() {
			var th machine.Thread
			for i := uint32(0); i < each; {
				if r.Enqueue(&th, uint32(p)<<16|i) {
					i++
				}
			}
		})
	}
	in.Wait()
	close(done)
	out.Wait()
	seen := map[uint32]bool{}
	for _, vs := range got {
		last := map[uint32]int{}
		for _, v := range vs {
			require.False(t, seen[v])
			seen[v] = true
			p, i := v>>16, int(v&0xffff)
			if prev, ok := last[p]; ok {
				require.Greater(t, i, prev)
			}
			last[p] = i
		}
	}
	require.Len(t, seen, producers*each)
}
