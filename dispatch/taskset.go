package dispatch

import (
	"sync/atomic"
	"time"

	"hostlock/dispatch/tally"
	"hostlock/machine/param"
)

// taskSet is what a device, all devices of a target, or all targets behind an
// array's port, whoever's hosts they are seen by, hold of commands that they have
// been given. One more is answered with TASK SET FULL. It is hardware: counting
// costs nobody anything.
type taskSet struct {
	now   atomic.Int64 //lab:free hardware's own
	limit int64        // 0 is any number
}

// take counts a command in, unless the set is full.
func (s *taskSet) take() bool {
	if s.limit == 0 {
		return true
	}
	if s.now.Add(1) <= s.limit {
		return true
	}
	s.now.Add(-1)
	return false
}

func (s *taskSet) leave() {
	if s.limit > 0 {
		s.now.Add(-1)
	}
}

func taskSetParams() []param.Spec {
	limit := func(name, of string) param.Spec {
		return param.Spec{Name: name, Kind: param.Int, Default: "0", Max: 1 << 20,
			About: "commands that " + of + " holds; it answers one more with TASK SET FULL; 0 is any number", Source: "a choice: no source gives the published devices' depth"}
	}
	return []param.Spec{
		limit("device.queue_limit", "a device"), limit("target.queue_limit", "a target, over all its devices,"),
		limit("port.queue_limit", "an array's port, over all targets of all hosts,"),
		{Name: "device.full_answer", Kind: param.Duration, Default: "50us", Max: float64(time.Second), About: "how long TASK SET FULL takes to come back", Source: "assumed: the way to the device and back, without its work"},
	}
}

// initTaskSets is called once all hosts are there.
func (sys *System) initTaskSets(p *param.Set) {
	device, target, port := int64(p.Int("device.queue_limit")), int64(p.Int("target.queue_limit")), int64(p.Int("port.queue_limit"))
	sys.holdTasks = device > 0 || target > 0 || port > 0
	sys.fullAnswer = p.Duration("device.full_answer")
	sys.port.limit = port
	for _, h := range sys.hosts {
		for _, tg := range h.Targets {
			tg.tasks.limit = target
		}
		for _, d := range h.Devices {
			d.tasks.limit = device
		}
	}
}

// GiveToDevice counts a command in at its device, target and port, and reports
// whether they take it: false is the answer TASK SET FULL. Drivers call it in
// queuecommand, for every command. The error handler's own are always taken.
func (cmd *Command) GiveToDevice() bool {
	d := cmd.Device()
	sys := d.Host.sys
	if !sys.holdTasks || cmd.Request.Op.OfHandler() {
		return true
	}
	cmd.leaveTasks() // of a round that was given up
	sets := cmd.taskSets()
	for i, s := range sets {
		if !s.take() {
			for _, s := range sets[:i] {
				s.leave()
			}
			if sys.window.Load() == windowOpen {
				sys.fulls.Add(1)
			}
			cmd.full = true
			return false
		}
	}
	cmd.tasks = true
	return true
}

// TurnedAway is how long the device takes to say that it did not take a command;
// ok is false where it did take it.
func (cmd *Command) TurnedAway() (answer time.Duration, ok bool) {
	return cmd.Host().sys.fullAnswer, cmd.full
}

func (cmd *Command) taskSets() [3]*taskSet {
	d := cmd.Device()
	return [3]*taskSet{&d.tasks, &d.Target.tasks, &d.Host.sys.port}
}

// leaveTasks counts the command out of its device.
func (cmd *Command) leaveTasks() {
	cmd.full = false
	if cmd.tasks {
		cmd.tasks = false
		for _, s := range cmd.taskSets() {
			s.leave()
		}
	}
}

// QueueDepths is what became of the devices' queue depths by TASK SET FULL; nil
// where nothing could say it.
func (sys *System) QueueDepths() *tally.Depths {
	if !sys.holdTasks && !sys.trackDepth {
		return nil
	}
	out := &tally.Depths{Full: sys.fulls.Load()}
	for i, d := range sys.devices {
		n := d.Depth()
		if out.Configured = max(out.Configured, d.QueueDepth); i == 0 {
			out.Least, out.Most = n, n
		}
		out.Least, out.Most = min(out.Least, n), max(out.Most, n)
	}
	return out
}
