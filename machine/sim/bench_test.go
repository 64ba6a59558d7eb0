package sim

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// report says what a run cost: a wait is a time for which a thread was
// suspended, be it for a lock or for its work to end.
func report(b *testing.B, s *Sim) {
	b.ReportMetric(float64(s.Events())/b.Elapsed().Seconds(), "waits/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(s.Events()), "ns/event")
	b.ReportMetric(0, "ns/op") // an op is a stretch of virtual time, and says nothing
}

// BenchmarkOneLock is 64 processes at one lock, each of whose turns is a wait
// for its work, one for the lock, and one for the section.
func BenchmarkOneLock(b *testing.B) {
	s := newSim(b, Config{Cores: 64, Seed: 1})
	loop(s, 64, exponential(2000), exponential(1000))
	b.ResetTimer()
	_, err := s.Run(context.Background(), machine.Course{Duration: time.Duration(b.N) * 2 * time.Microsecond})
	require.NoError(b, err)
	report(b, s)
}

// BenchmarkCores has a process on every core and a lock for every eight (with one core
// nothing ever waits), so
// that only the event queue grows with the core count.
func BenchmarkCores(b *testing.B) {
	for _, cores := range []int{4, 16, 64, 256, 1024} {
		b.Run(fmt.Sprint(cores), func(b *testing.B) {
			s := newSim(b, Config{Cores: cores, Seed: 1})
			locks := make([]machine.SpinLock, (cores+7)/8)
			for i := range locks {
				locks[i].Init(s, "lock")
			}
			for i := range cores {
				l := &locks[i/8]
				s.Go(fmt.Sprintf("worker-%d", i), i, false, func(t *machine.Thread) {
					outside, inside := exponential(8000), exponential(500)
					for !s.Stopping() {
						t.Work(outside.Draw(t.Rand()))
						off := t.IRQSave()
						l.Lock(t)
						t.Work(inside.Draw(t.Rand()))
						l.Unlock(t)
						t.IRQRestore(off)
					}
				})
			}
			b.ResetTimer()
			_, err := s.Run(context.Background(), machine.Course{Duration: time.Duration(b.N) * 4 * time.Microsecond / time.Duration(cores)})
			require.NoError(b, err)
			report(b, s)
		})
	}
}

// BenchmarkQueue is the event queue alone: a pop and a push at a steady size.
func BenchmarkQueue(b *testing.B) {
	for _, size := range []int{64, 1024} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var q queue
			r := machine.Rand(1, "queue")
			for range size {
				q.push(event{at: r.Int64N(1 << 20)}, evResume)
			}
			b.ResetTimer()
			for range b.N {
				e := q.pop()
				e.at += r.Int64N(1 << 20)
				q.push(e, evResume)
			}
		})
	}
}
