package rings

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/bytedance/gopkg/collection/lscq"
	"github.com/puzpuzpuz/xsync/v4"

	"hostlock/machine"
	"hostlock/strategies/mpmc"
)

const capacity = 1024

// queue is what is compared: both report whether they succeeded, and whoever
// calls lets others run where they did not.
type queue struct {
	put func(*machine.Thread, uint32) bool
	get func(*machine.Thread) (uint32, bool)
}

var queues = []struct {
	name string
	make func() queue
}{
	{"ours", func() queue {
		r := mpmc.New("bench", capacity)
		return queue{r.Enqueue, r.Dequeue}
	}},
	{"xsync", func() queue {
		q := xsync.NewMPMCQueue[uint32](capacity)
		return queue{
			func(_ *machine.Thread, v uint32) bool { return q.TryEnqueue(v) },
			func(*machine.Thread) (uint32, bool) { return q.TryDequeue() },
		}
	}},
	{"lscq", func() queue {
		q := lscq.NewUint64()
		return queue{
			func(_ *machine.Thread, v uint32) bool { return q.Enqueue(uint64(v)) },
			func(*machine.Thread) (uint32, bool) { v, ok := q.Dequeue(); return uint32(v), ok },
		}
	}},
	{"channel", func() queue {
		c := make(chan uint32, capacity)
		return queue{
			func(_ *machine.Thread, v uint32) bool { c <- v; return true },
			func(*machine.Thread) (uint32, bool) { return <-c, true },
		}
	}},
}

// BenchmarkRing is one item put and taken, with so many producers and as many
// consumers. The sum of what was taken is checked.
func BenchmarkRing(b *testing.B) {
	for _, q := range queues {
		b.Run(q.name, func(b *testing.B) {
			for _, n := range []int{1, 4, 64} {
				b.Run(fmt.Sprintf("%dto%d", n, n), func(b *testing.B) { bench(b, q.make(), n) })
			}
		})
	}
}

func bench(b *testing.B, q queue, n int) {
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
	if err != nil {
		b.Fatal(err)
	}
	each := b.N/n + 1
	sums := make([]uint64, n*16) // a line each
	for i := range n {
		m.Go("put-"+strconv.Itoa(i), i, false, func(t *machine.Thread) {
			for v := range uint32(each) {
				for !q.put(t, v) {
					runtime.Gosched()
				}
			}
		})
		m.Go("get-"+strconv.Itoa(i), i, false, func(t *machine.Thread) {
			sum := uint64(0)
			for range each {
				v, ok := q.get(t)
				for !ok {
					runtime.Gosched()
					v, ok = q.get(t)
				}
				sum += uint64(v)
			}
			sums[i*16] = sum
		})
	}
	b.ResetTimer()
	if _, err := m.Run(context.Background(), machine.Course{}); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	got := uint64(0)
	for _, s := range sums {
		got += s
	}
	if want := uint64(n) * uint64(each) * uint64(each-1) / 2; got != want {
		b.Fatalf("taken: %d, put: %d", got, want)
	}
}
