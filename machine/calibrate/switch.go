package calibrate

import (
	"context"
	"fmt"
	"sort"
	"time"

	"hostlock/machine"
)

// threadSwitch measures what it costs to wake another thread and to give the
// core up: half of a round trip of completions between two threads.
func (b *bench) threadSwitch(ctx context.Context) (float64, error) {
	m, err := machine.NewLive(machine.LiveConfig{Calibration: b.burn})
	if err != nil {
		return 0, err
	}
	var there, back machine.Completion
	there.Init()
	back.Init()
	m.Go("echo", 0, true, func(t *machine.Thread) {
		for {
			there.Wait(t)
			back.Complete(t)
		}
	})
	ns := 0.0
	m.Go("timed", 0, false, func(t *machine.Thread) {
		const few = 500 // some 400 us between two looks at the clock
		ns = b.perFew(few, func() {
			for range few {
				there.Complete(t)
				back.Wait(t)
			}
		}) / 2
	})
	_, err = m.Run(ctx, machine.Course{})
	return ns, err
}

const (
	// timerDelay is what is asked of a timer: the order of a disk's latency.
	timerDelay = time.Millisecond
	// busySlice is how long a busy core works before it lets others run.
	busySlice = 3 * time.Microsecond
)

// late measures how late a device timer of the live machine fires, as the
// median of a few; with or without idle pollers, on idle or on busy cores.
func (b *bench) late(polled, busy bool) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		m, err := machine.NewLive(machine.LiveConfig{Calibration: b.burn, IdlePollers: polled})
		if err != nil {
			return 0, err
		}
		var (
			due   time.Duration
			times []float64
			done  machine.Completion
			tm    machine.Timer
		)
		done.Init()
		tm.Init(m, "timer", machine.Device, func(t *machine.Thread) {
			times = append(times, float64(t.Now()-due))
			done.Complete(t)
		})
		if busy {
			for core := range m.Cores() {
				m.Go(fmt.Sprint("busy ", core), core, true, func(t *machine.Thread) {
					for {
						t.Work(busySlice)
						t.Yield()
					}
				})
			}
		}
		m.Go("timed", 0, false, func(t *machine.Thread) {
			for range max(b.each/timerDelay, 3) {
				due = t.Now() + timerDelay
				tm.Arm(t, timerDelay)
				done.Wait(t)
			}
		})
		if _, err := m.Run(ctx, machine.Course{}); err != nil {
			return 0, err
		}
		sort.Float64s(times)
		return quantile(times, 0.5), nil
	}
}
