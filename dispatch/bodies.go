package dispatch

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"

	"hostlock/machine"
)

// Which of a command's bodies were charged.
const (
	chargedReady uint8 = 1 << iota
	chargedDispatch
	chargedUnbusy
	chargedCall
)

// ReadyBody is the work of scsi_request_fn's target and host checks. Next calls
// it once for a command that it returns.
func (h *Host) ReadyBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedReady)
	h.costs.requestFn.Spend(t)
}

// DispatchBody is the work of scsi_dispatch_cmd: serial number and state
// check. Call calls it once, before it calls the driver.
func (h *Host) DispatchBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedDispatch)
	h.costs.dispatchCmd.Spend(t)
}

// UnbusyBody is the work of scsi_device_unbusy. Release calls it once.
func (h *Host) UnbusyBody(t *machine.Thread, cmd *Command) {
	h.charge(cmd, chargedUnbusy)
	h.costs.deviceUnbusy.Spend(t)
}

// RunQueueBody is the work of scsi_run_queue. Starved calls it once a run, the
// first time it is called.
func (h *Host) RunQueueBody(t *machine.Thread, run *Run) {
	if run.charged {
		h.fault("Starved", "calls RunQueueBody twice in one run")
	}
	run.charged = true
	h.costs.runQueue.Spend(t)
}

func (h *Host) charge(cmd *Command, bit uint8) {
	if cmd.charged&bit != 0 {
		h.fault(bodies[bit].verb, fmt.Sprintf("calls %s twice for one command", bodies[bit].name))
	}
	cmd.charged |= bit
}

// require panics where a command comes to a point without what it must have
// been charged by then: a strategy that skips work would win unfairly.
func (h *Host) require(cmd *Command, bits uint8, where string) {
	for bit := uint8(1); bit <= chargedCall; bit <<= 1 {
		if bits&^cmd.charged&bit != 0 {
			h.fault(bodies[bit].verb, fmt.Sprintf("lets a command come to %s without a call of %s", where, bodies[bit].name))
		}
	}
}

// Broken is what the path panics with where a strategy breaks a rule that it can
// see: the strategy's fault, whoever is on the stack.
type Broken struct {
	Strategy string
	Verb     string // the method of [Strategy] that has to keep the rule
	Place    string // file and line where that method begins; "" where it is not known
	Rule     string // what it does wrong
}

func (b *Broken) Error() string {
	at := ""
	if b.Place != "" {
		at = " (" + b.Place + ")"
	}
	return fmt.Sprintf("strategy %s: %s%s %s", b.Strategy, b.Verb, at, b.Rule)
}

func (h *Host) fault(verb, rule string) {
	b := &Broken{Strategy: h.strategyName, Verb: verb, Rule: rule}
	if m, ok := reflect.TypeOf(h.own).MethodByName(verb); ok {
		// One that a struct within has is made by the compiler, and has no line.
		if file, line := runtime.FuncForPC(m.Func.Pointer()).FileLine(m.Func.Pointer()); filepath.Ext(file) == ".go" {
			b.Place = fmt.Sprintf("%s:%d", filepath.Base(file), line)
		}
	}
	panic(b)
}

// bodies are the methods of [Host] that charge work, and the verbs that call them.
var bodies = map[uint8]struct{ name, verb string }{
	chargedReady: {"Host.ReadyBody", "Next"}, chargedDispatch: {"Host.DispatchBody", "Call"},
	chargedUnbusy: {"Host.UnbusyBody", "Release"}, chargedCall: {"Host.QueueCommand", "Call"},
}

// The sections of the path, in the kernel's spelling: the label "section" of
// every profile.
var (
	secMakeRequest  = machine.NewSection("__make_request")
	secRequestFn    = machine.NewSection("scsi_request_fn")
	secDispatchCmd  = machine.NewSection("scsi_dispatch_cmd")
	secDeviceUnbusy = machine.NewSection("scsi_device_unbusy")
	secRunQueue     = machine.NewSection("scsi_run_queue")
	secQueueInsert  = machine.NewSection("scsi_queue_insert")
	secSoftirq      = machine.NewSection("blk_done_softirq")
	secSoftirqDone  = machine.NewSection("scsi_softirq_done")
	secFinish       = machine.NewSection("scsi_finish_command")
	secIOCompletion = machine.NewSection("scsi_io_completion")
	secKblockd      = machine.NewSection("kblockd")
)
