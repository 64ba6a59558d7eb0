package dispatch

import (
	"time"

	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
	"hostlock/machine/param"
)

// errorHandling is one host's error handler (scsi_error.c) [S35]: the commands
// that timed out, and the thread that sees to them once nothing else of the
// host is outstanding. Nil where midlayer.error_handling is off.
type errorHandling struct {
	h      *Host
	keeper Recoverer
	asks   timeoutDriver      // nil where the driver has no say
	wake   machine.Completion // of the thread
	failed machine.Word       // host_failed
	queue  machine.Word       // eh_cmd_q: a stack of command indices

	timeout, settle, probeTimeout time.Duration

	probe probe
	work  []*Command // what the thread has at hand, reused
	scope []*Command // those of them that a reset concerns, reused
}

var (
	secTimesOut = machine.NewSection("scsi_times_out")
	secUnjam    = machine.NewSection("scsi_unjam_host")
)

// initErrorHandling makes the handler of a host and its thread, where it is
// asked for. It comes before the strategy, which may ask for it.
func (h *Host) initErrorHandling(p *param.Set) {
	if !p.Bool("midlayer.error_handling") {
		return
	}
	scale := p.Float("midlayer.eh_scale")
	scaled := func(name string) time.Duration {
		return time.Duration(float64(p.Duration(name)) * scale)
	}
	e := &errorHandling{
		h: h, timeout: scaled("midlayer.timeout"),
		settle: scaled("midlayer.eh_settle"), probeTimeout: scaled("midlayer.eh_probe_timeout"),
	}
	e.wake.Init()
	line := h.Own("host_failed").Line("Scsi_Host.host_failed")
	e.failed.Init(line, 0)
	e.queue.Init(line, 0)
	e.probe.init(e)
	h.eh = e
	h.sys.m.Go("scsi_eh/"+itoa(h.ID), h.ID%h.sys.m.Cores(), true, func(t *machine.Thread) {
		for {
			e.wake.Wait(t)
			// Asked again without whatever the strategy has for it, as the kernel
			// does: a wake-up may be late, and its reason gone.
			if e.failed.Load(t) > 0 && e.keeper.Quiet(t) {
				e.unjam(t)
			}
		}
	})
}

// HandlesErrors reports whether commands time out and the host has an error
// handler. It never changes.
func (h *Host) HandlesErrors() bool { return h.eh != nil }

// Failing reports whether the error handler waits for the host to fall quiet.
// A strategy asks whenever it has given a slot of the host back, and then calls
// [Host.WakeHandler] where as many are taken as [Host.Failed] says.
func (h *Host) Failing(t *machine.Thread) bool {
	return h.eh != nil && h.State(t).InRecovery() && h.eh.failed.Load(t) > 0
}

// Failed is how many commands have timed out and wait for the handler
// (host_failed).
func (h *Host) Failed(t *machine.Thread) int { return int(h.eh.failed.Load(t)) }

// WakeHandler wakes the error handler's thread (scsi_eh_wakeup's end). One
// wake-up too many does no harm.
func (h *Host) WakeHandler(t *machine.Thread) { h.eh.wake.Complete(t) }

// AddFailed puts the host into recovery and the command among those that failed
// (scsi_eh_scmd_add). Strategies call it in Fail, inside whatever protects their
// count of the host's commands. It reports false, and does nothing, where the
// state does not let the host recover.
func (h *Host) AddFailed(t *machine.Thread, cmd *Command) bool {
	if h.StoreState(t, HostRecovery) != nil && h.StoreState(t, HostCancelRecovery) != nil {
		return false
	}
	e := h.eh
	for {
		old := e.queue.Load(t)
		cmd.nextDone = uint32(old)
		if e.queue.CAS(t, old, uint64(cmd.Index)) {
			break
		}
	}
	e.failed.Add(t, 1)
	return true
}

// unjam brings the host back (scsi_unjam_host): every stage takes what the one
// before could not recover. Whatever was recovered is tried again or finished
// once all are through, and then the host runs again.
func (e *errorHandling) unjam(t *machine.Thread) {
	t.Enter(secUnjam)
	e.take(t)
	e.getSense(t)
	e.abortAll(t)
	e.startUnits(t)
	for level := eh.DeviceReset; level <= eh.HostReset; level++ {
		e.resetAll(t, level)
	}
	e.offline(t)
	// Nobody else has any of them, and no other can fail: none is outstanding.
	if e.h.sys.cfg.Mistake != eh.FailedKept {
		e.failed.Store(t, 0)
	}
	own := e.devices()
	e.flush(t)
	e.restart(t, own)
	t.Leave()
}

// take takes all that failed, oldest first.
func (e *errorHandling) take(t *machine.Thread) {
	e.work = e.work[:0]
	for index := uint32(e.queue.Swap(t, 0)); index != 0; {
		cmd := e.h.Command(index)
		index = cmd.nextDone
		e.work = append(e.work, cmd)
	}
	for i, j := 0, len(e.work)-1; i < j; i, j = i+1, j-1 {
		e.work[i], e.work[j] = e.work[j], e.work[i]
	}
	for _, cmd := range e.work {
		cmd.recovered = false
		cmd.forgotten = cmd.forgotten || !cmd.cancel
	}
}

// flush gives every command back to the path: to its queue, or to its issuer
// (scsi_eh_flush_done_q).
func (e *errorHandling) flush(t *machine.Thread) {
	h := e.h
	for _, cmd := range e.work {
		cmd.leave(t)
		if h.sys.cfg.Mistake == eh.LateFrees && cmd.Returned(t) {
			h.DeviceUnbusy(t, cmd)
			cmd.charged &^= chargedUnbusy
		}
		cmd.Serial = 0
		cmd.timeout.Disarm(t)
		if cmd.recovered && cmd.Device().State(t).Online() {
			if cmd.retries++; cmd.retries <= h.sys.retries || h.sys.cfg.Mistake == eh.RetriesUnlimited {
				h.sys.ehCounts.retried.Add(1)
				h.queueInsert(t, cmd, EHRetry)
				continue
			}
		}
		// What the driver has completed, without sense data at first, keeps its
		// result.
		if cmd.cancel && !cmd.Request.abandoned {
			cmd.Result = scsi.Result{Host: scsi.DidTimeOut}
		}
		h.sys.ehCounts.gaveUp.Add(1)
		h.finish(t, cmd)
	}
	e.work = e.work[:0]
}

// restart lets commands start again, in the state that the host was in before,
// and runs every queue (scsi_restart_operations).
func (e *errorHandling) restart(t *machine.Thread, own []*Device) {
	h := e.h
	for _, s := range [...]HostState{HostRunning, HostCancel, HostDel} {
		if h.strategy.SetHostState(t, s) == nil {
			break
		}
	}
	h.sys.ehCounts.recoveries.Add(1)
	if h.sys.cfg.Mistake == eh.OwnQueuesOnly {
		for _, d := range own {
			d.Kick(t)
		}
		return
	}
	h.RunAll(t)
}
