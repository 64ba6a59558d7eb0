package mpmc

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// One thread goes over the edge, full and empty.
func TestWraps(t *testing.T) {
	for _, start := range Starts {
		for _, capacity := range []int{2, 4} {
			r := newAt("ring", capacity, start)
			var th machine.Thread
			var next, want uint32
			for round := range 8 {
				n := 0
				for r.Enqueue(&th, next) {
					next++
					n++
				}
				require.Equal(t, capacity, n, "start %#x, round %d", start, round)
				require.Equal(t, capacity, r.Len(&th))
				for !r.Empty(&th) {
					v, ok := r.Dequeue(&th)
					require.True(t, ok)
					require.Equal(t, want, v)
					want++
				}
				_, ok := r.Dequeue(&th)
				require.False(t, ok)
			}
		}
	}
}

// Several threads do, under explored schedules: each value comes out once, and
// a producer's in order.
func TestWrapsExplored(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 150
	}
	for _, start := range Starts {
		t.Run(fmt.Sprintf("%#x", start), func(t *testing.T) {
			r, err := explore.Run(context.Background(), explore.Config{Cores: 3, Seed: 1, Schedules: n}, func(m *explore.Machine) (func() error, error) {
				const each = 4
				r := newAt("ring", 2, start)
				var got []uint32
				for p := range uint32(2) {
					m.Go(fmt.Sprint("producer/", p), int(p), false, func(t *machine.Thread) {
						for i := range uint32(each) {
							for !r.Enqueue(t, p*100+i) {
								t.Relax(r.Head())
							}
						}
					})
				}
				m.Go("consumer", 2, false, func(t *machine.Thread) {
					for len(got) < 2*each {
						if v, ok := r.Dequeue(t); ok {
							got = append(got, v)
						} else {
							t.Relax(r.Tail())
						}
					}
				})
				return func() error {
					var next [2]uint32
					for _, v := range got {
						p := v / 100
						if v%100 != next[p] {
							return fmt.Errorf("out of order: %v", got)
						}
						next[p]++
					}
					return nil
				}, nil
			})
			require.NoError(t, err)
			if r.Failure != nil {
				t.Fatal(r.Failure, r.Failure.Schedule)
			}
		})
	}
}
