package lld

import (
	"sync"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/machine"
	"hostlock/machine/param"
)

// throttle is what megaraid_sas does about a timeout (eh_timed_out): the first
// one lowers can_queue to 16 [S35], and the command gets its time once more,
// since the firmware may just be busy; a command of twice the driver's timeout
// of 90 s goes to the error handler. 5 s after that first one, a completion
// that leaves fewer than 17 outstanding restores can_queue [K].
//
// The driver changes can_queue under the host lock, which not every strategy has:
// here the change costs nothing.
type throttle struct {
	h             *dispatch.Host
	low           int
	restore, most time.Duration
	mu            sync.Mutex   //lab:free the change costs nothing, as said above; of both changes
	on            atomic.Int64 //lab:free the same; when can_queue was lowered, in ns and at least 1; 0 while it is not
}

func throttleParams(driver string) []param.Spec {
	d := func(name, def, about, source string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Duration, Default: def, About: about, Source: source}
	}
	return []param.Spec{
		{Name: driver + ".throttle", Kind: param.Int, Default: "16", Max: 1 << 20, About: "can_queue after the first timeout, where errors are handled; 0 leaves it, and the error handler gets every command", Source: "S35: MEGASAS_THROTTLE_QUEUE_DEPTH 16"},
		d("throttle_restore", "5s", "how long can_queue stays so at least, times midlayer.eh_scale", "[K]: restored from the completion path after 5 s, when fewer than 17 are outstanding"),
		d("throttle_give_up", "180s", "age at which a command that times out goes to the error handler, times midlayer.eh_scale", "[K]: twice MEGASAS_DEFAULT_CMD_TIMEOUT, 90 s"),
	}
}

func newThrottle(h *dispatch.Host, p *param.Set) *throttle {
	scale := p.Float("midlayer.eh_scale")
	d := func(name string) time.Duration { return time.Duration(float64(p.Duration("megasas."+name)) * scale) }
	return &throttle{h: h, low: p.Int("megasas.throttle"), restore: d("throttle_restore"), most: d("throttle_give_up")}
}

func (th *throttle) timedOut(t *machine.Thread, cmd *dispatch.Command) eh.Answer {
	now := t.Now()
	if th.low == 0 || now-cmd.Began() > th.most {
		return eh.NotHandled
	}
	th.set(0, int64(max(now, 1)), th.low)
	return eh.ResetTimer
}

// done is called for every reply, before its command is completed.
func (th *throttle) done(t *machine.Thread, a *adapter) {
	if !th.h.HandlesErrors() {
		return
	}
	since := th.on.Load()
	if since == 0 || t.Now()-time.Duration(since) <= th.restore || a.used(t) > th.low {
		return
	}
	th.set(since, 0, th.h.Template.CanQueue)
}

// set changes can_queue, unless somebody else has been quicker.
func (th *throttle) set(from, to int64, canQueue int) {
	th.mu.Lock()
	defer th.mu.Unlock()
	if th.on.CompareAndSwap(from, to) {
		th.h.SetCanQueue(canQueue)
	}
}

// used is how many slots are taken.
func (a *adapter) used(t *machine.Thread) int {
	off := t.IRQSave()
	a.lock.Lock(t)
	t.Touch(a.line)
	n := len(a.cmds) - len(a.free)
	a.lock.Unlock(t)
	t.IRQRestore(off)
	return n
}
