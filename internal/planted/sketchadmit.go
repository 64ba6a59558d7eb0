package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// admission of the sketch: Next, the slots, and the set of starved devices.

func (s *sketch) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	gave := false
	for len(d.queue) > 0 && !d.plugged && !d.stopped {
		rq := d.queue[0]
		cmd := &rq.Cmd
		verdict := dev.State(t).Verdict(cmd.Prepared, rq.Preempt)
		if verdict == dispatch.Defer && !s.is("ignores quiesce") {
			s.plugIfAlone(t, d)
			break
		}
		if !cmd.Prepared {
			cmd.Prepare(t)
		}
		if verdict == dispatch.Kill && !s.is("ignores offline") {
			d.queue = d.queue[1:]
			d.busy++
			s.busy.Add(t, 1)
			s.targets[dev.Target.Index].Add(t, 1)
			s.h.NoConnect(t, cmd)
			continue
		}
		if !s.deviceReady(t, d) {
			break
		}
		d.queue = d.queue[1:]
		d.busy++
		d.leave(t)
		ok, starves := s.admit(t, d)
		if ok {
			s.h.ReadyBody(t, cmd)
			return cmd
		}
		gave = true
		early := s.is("starves before it requeues")
		if starves && early {
			s.setStarved(t, dev.Index, true)
		}
		d.enter(t)
		if !s.is("device slot leaks") {
			d.busy--
		}
		d.push(!s.is("requeue at the tail"), rq)
		// Known as starved only once the request can be found in its queue.
		if starves && !early && !s.is("forgets to starve") {
			s.setStarved(t, dev.Index, true)
		}
		// And a slot may have come free before it was.
		if s.is("does not look again") {
			s.plugIfAlone(t, d)
			return nil
		}
		if s.room(t, d) {
			continue
		}
		s.plugIfAlone(t, d)
		break
	}
	// What was taken and given back may be what another was refused for.
	if gave && s.hostRoom(t) && s.starved.Load(t) != 0 {
		dev.Kick(t)
	}
	return nil
}

// countdown takes one from a blocked counter and says what is left.
func (s *sketch) countdown(t *machine.Thread, w *machine.Word) uint64 {
	for {
		n := w.Load(t)
		if n == 0 || s.is("blocked for ever") {
			return n
		}
		if w.CAS(t, n, n-1) {
			return n - 1
		}
	}
}

func (s *sketch) deviceReady(t *machine.Thread, d *sketchDevice) bool {
	if d.blocked.Load(t) != 0 {
		if d.busy != 0 {
			return false
		}
		if s.countdown(t, &d.blocked) != 0 {
			s.plugIfAlone(t, d)
			return false
		}
	}
	if s.is("depth as it was") {
		return d.busy < d.dev.QueueDepth
	}
	return d.busy < d.dev.Depth()
}

// admit takes a slot of the target and one of the host, or none; starves says
// that whoever gives a slot back must try this device.
func (s *sketch) admit(t *machine.Thread, d *sketchDevice) (ok, starves bool) {
	first := s.is("looks at recovery first")
	if first && s.recovers(t, d) {
		return false, false
	}
	if !s.takeTarget(t, d) {
		return false, true
	}
	busy := s.busy.Add(t, 1)
	switch {
	case !first && s.recovers(t, d):
		// Looked at with a slot taken, which the error handler waits for.
	case s.is("one more while blocked") && s.blocked.Load(t) != 0 && busy == s.canQueue()+1:
		return true, false
	case busy > s.canQueue():
		starves = true
	case s.self.Load(t) != 0 && !s.is("ignores self-block"):
		starves = true
	case s.blocked.Load(t) == 0:
		return true, false
	case busy != 1:
		starves = true
	case s.countdown(t, &s.blocked) == 0:
		return true, false
	}
	s.busy.Dec(t)
	if !s.is("no wake-up when unused") {
		s.wakeIfQuiet(t)
	}
	s.giveTarget(t, d)
	return false, starves
}

// recovers reports whether the host's recovery stops a command of a device.
func (s *sketch) recovers(t *machine.Thread, d *sketchDevice) bool {
	return s.h.State(t).InRecovery() && !s.is("ignores recovery") &&
		!(s.is("starved passes recovery") && s.starved.Load(t)&(1<<d.dev.Index) != 0)
}

func (s *sketch) takeTarget(t *machine.Thread, d *sketchDevice) bool {
	limit := uint64(d.dev.Target.CanQueue)
	w := &s.targets[d.dev.Target.Index]
	if w.Add(t, 1) <= limit || limit == 0 || s.is("no target limit") {
		return true
	}
	w.Dec(t)
	return false
}

func (s *sketch) giveTarget(t *machine.Thread, d *sketchDevice) {
	s.targets[d.dev.Target.Index].Dec(t)
}

func (s *sketch) targetRoom(t *machine.Thread, d *sketchDevice) bool {
	limit := d.dev.Target.CanQueue
	return limit == 0 || s.targets[d.dev.Target.Index].Load(t) < uint64(limit)
}

func (s *sketch) hostRoom(t *machine.Thread) bool {
	return s.busy.Load(t) < s.canQueue() && s.blocked.Load(t) == 0 && s.self.Load(t) == 0 && !s.h.State(t).InRecovery()
}

func (s *sketch) room(t *machine.Thread, d *sketchDevice) bool {
	return s.hostRoom(t) && s.targetRoom(t, d)
}

func (s *sketch) setStarved(t *machine.Thread, i int, on bool) {
	bit := uint64(1) << i
	for {
		v := s.starved.Load(t)
		w := v | bit
		if !on {
			w = v &^ bit
		}
		if v == w {
			return
		}
		if s.starved.CAS(t, v, w) {
			return
		}
	}
}

func (s *sketch) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	d := s.nextStarved(t, run)
	if d == nil && s.is("release out of order") {
		s.busy.Add(t, -s.owed.Swap(t, 0))
	}
	return d
}

// from is where the search for a starved device begins.
func (s *sketch) from(t *machine.Thread) int {
	if s.is("the first always wins") {
		return 0
	}
	return int(s.turn.Load(t))
}

func (s *sketch) nextStarved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	if !run.Started {
		run.Started, run.Left, run.From = true, len(s.devices), s.from(t)
		s.h.RunQueueBody(t, run)
	}
	if s.is("starved list skipped") {
		return nil
	}
	for run.Left > 0 {
		v := s.starved.Load(t)
		if v == 0 || !s.hostRoom(t) {
			return nil
		}
		// Each device once a run, from the one after who was restarted last, or the
		// first would always win: run.Left counts them down.
		i := (len(s.devices) - run.Left + run.From) % len(s.devices)
		run.Left--
		if v&(1<<i) == 0 {
			continue
		}
		d := &s.devices[i]
		if !s.targetRoom(t, d) {
			continue
		}
		if s.is("one starved only") {
			s.starved.Store(t, 0)
			run.Left = 0
		}
		s.setStarved(t, i, false)
		s.turn.Store(t, uint64(i)+1)
		if s.Enter(t, d.dev) {
			return d.dev
		}
	}
	return nil
}
