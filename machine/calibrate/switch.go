package calibrate

import (
	"context"

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
