//go:build unix

package path

import (
	"context"
	"fmt"
	"strconv"
	"syscall"
	"testing"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/machine"
	_ "hostlock/strategies"
)

// processor is the processor time that this process has used, in nanoseconds.
// Other processes disturb it far less than they do the clock.
func processor() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// begin starts the measured part, and end reports its processor time, too.
func begin(b *testing.B) (end func()) {
	from := processor()
	b.ResetTimer()
	return func() { b.ReportMetric(float64(processor()-from)/float64(b.N), "cpu-ns/op") }
}

// on runs fn on n threads of a live machine.
func on(b *testing.B, n int, prepare func(m *machine.Live) error, fn func(t *machine.Thread, i int)) {
	b.Helper()
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
	if err != nil {
		b.Fatal(err)
	}
	if err := prepare(m); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		m.Go("bench-"+strconv.Itoa(i), i, false, func(t *machine.Thread) { fn(t, i) })
	}
	if _, err := m.Run(context.Background(), machine.Course{}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPath is one command from submission to its issuer's waking, on the
// null driver and without any cost of the model.
func BenchmarkPath(b *testing.B) {
	commands(b, []int{1, 64}, "midlayer.section", "midlayer.make_request", "midlayer.softirq_done", "midlayer.io_completion", "null.queuecommand")
}

// BenchmarkModelled is the same with the costs that the model gives the path
// and the driver, as a run has them.
func BenchmarkModelled(b *testing.B) { commands(b, []int{1}) }

// commands benchmarks every strategy, with some costs at 0.
func commands(b *testing.B, threads []int, free ...string) {
	for _, strategy := range dispatch.Strategies() {
		for _, threads := range threads {
			b.Run(fmt.Sprintf("%s/%d", strategy.Name, threads), func(b *testing.B) {
				var sys *dispatch.System
				p, err := dispatch.NewParams("null")
				if err != nil {
					b.Fatal(err)
				}
				for _, name := range free {
					if err := p.Set(name, "0"); err != nil {
						b.Fatal(err)
					}
				}
				end := func() {}
				on(b, threads, func(m *machine.Live) error {
					sys, err = dispatch.New(m, dispatch.Config{Strategy: strategy.Name, Driver: "null", Params: p, Targets: 16, NoLimitCheck: true})
					return err
				}, func(t *machine.Thread, i int) {
					iss := sys.NewIssuer(t)
					dev := sys.Devices()[i%len(sys.Devices())]
					n := b.N / threads
					if i == 0 {
						// Requests, stacks and histograms grow to their size first.
						for range 1000 {
							_ = iss.Do(t, dev, dispatch.Write, 0, 8, 1, nil)
						}
						n += b.N % threads
						end = begin(b)
					}
					for range n {
						_ = iss.Do(t, dev, dispatch.Write, 0, 8, 1, nil)
					}
				})
				end()
			})
		}
	}
}

// BenchmarkWords is four operations on a word: the seam at its barest.
func BenchmarkWords(b *testing.B) {
	var w machine.Word
	w.Init(machine.NewLine("word"), 0)
	on(b, 1, func(*machine.Live) error { return nil }, func(t *machine.Thread, _ int) {
		defer begin(b)()
		for range b.N {
			for range 100 {
				w.Add(t, 1)
				v := w.Load(t)
				w.CAS(t, v, v+1)
				w.Store(t, v)
			}
		}
	})
}

// BenchmarkLock is a hundred times a free lock, taken and released.
func BenchmarkLock(b *testing.B) {
	var l machine.SpinLock
	on(b, 1, func(m *machine.Live) error { l.Init(m, "lock"); return nil }, func(t *machine.Thread, _ int) {
		defer begin(b)()
		for range b.N {
			for range 100 {
				l.Lock(t)
				l.Unlock(t)
			}
		}
	})
}
