package lld

import (
	"slices"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/eh"
	"hostlock/machine"
	"hostlock/machine/param"
)

// recovery is the faults of a driver whose hardware is the timer of a command,
// with what error handling may do about them. A driver embeds it, and so has
// the handlers that [dispatch.Driver] speaks of.
type recovery struct {
	*faults
	drop, late, twice float64
	delay             cost.Cost
	hangAt, hangEnd   time.Duration
	woken             atomic.Bool //lab:free the state of the hardware: a reset of the host has ended the hang
	mildest           eh.Level
	has               []eh.Level // handlers that the driver has; nil is all
	// forget takes a command away from the hardware, with all that the driver
	// keeps for it, and reports whether the hardware still had it.
	forget func(t *machine.Thread, cmd *dispatch.Command) bool
}

// recoveries are what the parameter "recovers_by" names, in order of
// eh.Level.
var recoveries = []string{"abort", "device", "target", "bus", "host", "none"}

// recoveryParams are faultParams and those of recovery.
func recoveryParams(driver string) []param.Spec {
	rate := func(name, about string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Float, Default: "0", Max: 1, About: about, Source: faultSource}
	}
	dur := func(name, about string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Duration, Default: "0", About: about, Source: faultSource}
	}
	return append(faultParams(driver),
		rate("drop_rate", "share of commands that are never answered; without midlayer.error_handling they are lost"),
		rate("delay_rate", "share answered late"),
		dur("delay", "how much later those are, in the mean"),
		param.Spec{Name: driver + ".delay_shape", Kind: param.Choice, Default: "fixed", Choices: []string{"fixed", "exponential", "uniform"},
			About: "distribution of that: about a timeout, exponential ones have completions and timers come together", Source: "a choice: all alike"},
		rate("duplicate_rate", "share completed twice"),
		dur("hang_at", "when the firmware stops answering, from the start of the run; 0 is never"),
		dur("hang_for", "for how long; a reset of the host ends it"),
		param.Spec{Name: driver + ".recovers_by", Kind: param.Choice, Default: recoveries[0], Choices: recoveries,
			About: "the mildest of the error handler's measures that works, among those that the driver has", Source: "a choice: aborts work"},
	)
}

func newRecovery(driver string, h *dispatch.Host, p *param.Set) *recovery {
	r := &recovery{
		faults: newFaults(driver, h, p),
		drop:   p.Float(driver + ".drop_rate"), late: p.Float(driver + ".delay_rate"), twice: p.Float(driver + ".duplicate_rate"),
		delay: cost.New(machine.Dist{
			Mean: p.Duration(driver + ".delay"), Shape: cost.ParseShape(p.Choice(driver + ".delay_shape")),
		}),
		hangAt: p.Duration(driver + ".hang_at"),
		forget: func(t *machine.Thread, cmd *dispatch.Command) bool { return cmd.TakeBack(t) },
	}
	if r.hangAt > 0 { // 0 is never, as it is for removals
		r.hangEnd = r.hangAt + p.Duration(driver+".hang_for")
	}
	by := p.Choice(driver + ".recovers_by")
	for i, name := range recoveries {
		if name == by {
			r.mildest = eh.Level(i)
		}
	}
	return r
}

// only says that the driver has no other handlers.
func (r *recovery) only(has ...eh.Level) *recovery {
	r.has = has
	return r
}

// answer draws whether and when the hardware answers a command that needs d. It
// is called in queuecommand, before the hardware has the command.
func (r *recovery) answer(t *machine.Thread, cmd *dispatch.Command, d time.Duration) (time.Duration, bool) {
	if r.drop > 0 && t.Rand().Float64() < r.drop {
		r.add(faultDrop)
		cmd.Lost = true
		return 0, false
	}
	if r.late > 0 && t.Rand().Float64() < r.late {
		r.add(faultDelay)
		d += r.delay.Draw(t.Rand())
	}
	if r.twice > 0 {
		if cmd.Twice = t.Rand().Float64() < r.twice; cmd.Twice {
			r.add(faultDuplicate)
		}
	}
	if r.hangEnd > r.hangAt && !r.woken.Load() {
		if now := t.Now(); now < r.hangEnd && now+d >= r.hangAt {
			d += r.hangEnd - max(now, r.hangAt)
			r.add(faultHang)
		}
	}
	return d, true
}

// arm has the hardware answer a command that needs d.
func (r *recovery) arm(t *machine.Thread, cmd *dispatch.Command, d time.Duration) {
	if d, ok := r.answer(t, cmd, d); ok {
		cmd.Arm(t, d)
	}
}

// works reports whether a measure has any effect now.
func (r *recovery) works(t *machine.Thread, level eh.Level) bool {
	if level < r.mildest || r.has != nil && !slices.Contains(r.has, level) {
		return false
	}
	now := t.Now()
	hangs := r.hangAt <= now && now < r.hangEnd && !r.woken.Load()
	if hangs && level == eh.HostReset {
		r.woken.Store(true)
		return true
	}
	return !hangs
}

// rid takes a command away from the hardware, or waits where that has answered
// and the answer is on its way up.
func (r *recovery) rid(t *machine.Thread, cmd *dispatch.Command) bool {
	const waits = 10_000 // of 1 ms: a handler that waits for ever would hide a bug
	if r.forget(t, cmd) {
		return true
	}
	for range waits {
		if cmd.Returned(t) {
			return true
		}
		t.Sleep(time.Millisecond)
	}
	return false
}

// Abort is as [dispatch.Driver] says.
func (r *recovery) Abort(t *machine.Thread, cmd *dispatch.Command) bool {
	return r.works(t, eh.CommandAbort) && r.rid(t, cmd)
}

// Reset is as [dispatch.Driver] says.
func (r *recovery) Reset(t *machine.Thread, level eh.Level, _ *dispatch.Device, cmds []*dispatch.Command) bool {
	if !r.works(t, level) {
		return false
	}
	all := true
	for _, cmd := range cmds {
		all = r.rid(t, cmd) && all
	}
	return all
}
