package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// perQueue has one lock a device, for all that is the device's: its queue,
// device_busy, its live commands. What is the host's or a target's is in
// words: the limits as in 3.17 [S317], the starved list as a ring. A queue's
// lock is not held while slots of target and host are sought, nor while a
// section's work is done.
type perQueue struct {
	gate
	h       *dispatch.Host
	limit   Limit
	starved *starvedRing
	qcmd    qcmdLock
	targets []pqTarget
	devices []pqDevice
}

type pqTarget struct {
	limit   Limit // nil where the target has none
	_       [64]byte
	blocked machine.Word // target_blocked
	_       [64]byte
}

type pqDevice struct {
	queue
	target *pqTarget
	live   dispatch.Node
}

// NewPerQueue makes the strategy of a host with a limit of one's own.
func NewPerQueue(h *dispatch.Host, limit Limit) dispatch.Strategy {
	s := &perQueue{
		h: h, limit: countable(h, limit), starved: newStarvedRing(len(h.Devices)),
		targets: make([]pqTarget, len(h.Targets)), devices: make([]pqDevice, len(h.Devices)),
	}
	s.gate.init(h)
	s.qcmd.init(h)
	for i, target := range h.Targets {
		tg := &s.targets[i]
		tg.blocked.Init(machine.NewLine("target_flags"), 0)
		if target.CanQueue > 0 {
			tg.limit = NewCounter("target_busy", target.CanQueue)
		}
	}
	for i, dev := range h.Devices {
		d := &s.devices[i]
		d.queue.init(h, dev)
		d.target = &s.targets[dev.Target.Index]
		d.live.InitHead()
	}
	return s
}

func (s *perQueue) Insert(t *machine.Thread, rq *dispatch.Request) {
	d := &s.devices[rq.Device.Index]
	d.enter(t)
	d.insert(t, rq)
}

func (s *perQueue) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	d := &s.devices[dev.Index]
	d.enter(t)
	if d.runnable(t) {
		return true
	}
	d.leave(t)
	return false
}

func (s *perQueue) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	gave := false
	for !d.plugged && !d.stopped && d.head != nil {
		cmd := &d.head.Cmd
		verdict := dev.State(t).Verdict(cmd.Prepared, d.head.Preempt)
		if verdict == dispatch.Defer {
			d.plugIfAlone(t)
			break
		}
		if !cmd.Prepared {
			if !cmd.Prepare(t) {
				d.plugIfAlone(t)
				break
			}
			d.live.PushBack(&cmd.Live)
		}
		if verdict == dispatch.Kill {
			s.kill(t, d, cmd)
			continue
		}
		if !d.ready(t) || !s.targetUnblocked(t, d) {
			break
		}
		d.start()
		d.leave(t)
		a, undone := s.admit(t, d)
		if a == admitted {
			cmd.Slots = true
			s.h.ReadyBody(t, cmd)
			return cmd
		}
		gave = gave || undone
		d.enter(t)
		d.restart(cmd.Request)
		if a == starves {
			if d.target.limit == nil {
				s.starved.add(t, dev.Index)
			} else {
				gave = s.starved.addWatched(t, dev.Index) || gave
			}
		}
		// A slot may have come free since it was refused.
		if !s.room(t, d) {
			d.plugIfAlone(t)
			break
		}
	}
	if gave && s.open(t) && !s.full(t) && !s.starved.empty(t) {
		// What was taken and given back may have been what another device was
		// refused for. Nobody else knows.
		dev.Kick(t)
	}
	return nil
}

// kill fails the request at the head, whose device is gone. It never reaches
// the driver, and takes no slot but the device's.
func (s *perQueue) kill(t *machine.Thread, d *pqDevice, cmd *dispatch.Command) {
	d.start()
	s.h.NoConnect(t, cmd)
}

// targetUnblocked is the blocked counter of a target without a limit, whose
// commands nobody counts: the device's own stand for them. The lock is held.
func (s *perQueue) targetUnblocked(t *machine.Thread, d *pqDevice) bool {
	tg := d.target
	if tg.limit != nil || tg.blocked.Load(t) == 0 {
		return true
	}
	if d.busy != 0 {
		return false
	}
	if countdown(t, &tg.blocked) != 0 {
		d.plug(t)
		return false
	}
	return true
}

// admit takes a slot of the target and one of the host, or none. undone says
// that it held one of the host for a moment, for which others may have been
// refused.
func (s *perQueue) admit(t *machine.Thread, d *pqDevice) (a admission, undone bool) {
	tg := d.target
	if tg.limit != nil {
		if a := tg.take(t); a != admitted {
			return a, false
		}
	}
	a = starves
	if s.limit.Take(t) {
		if s.over(t) {
			a = starves
		} else if a = s.pass(t, s.limit); a == admitted {
			return a, false
		}
		s.give(t)
	} else {
		// A counter was raised for a moment and may have hidden that the host is
		// quiet.
		s.wakeIfQuiet(t)
	}
	if tg.limit != nil {
		tg.limit.Give(t)
	}
	return a, true
}

func (tg *pqTarget) take(t *machine.Thread) admission {
	if !tg.limit.Take(t) {
		return starves
	}
	if tg.blocked.Load(t) == 0 {
		return admitted
	}
	a := starves
	if tg.limit.Alone(t) {
		if countdown(t, &tg.blocked) == 0 {
			return admitted
		}
		a = refused
	}
	tg.limit.Give(t)
	return a
}

// over reports whether a slot that was just taken is one too many for a host
// whose driver has lowered can_queue, which the limit does not know. Slots are
// counted after the own one was taken, so that of two one at least sees both.
func (s *perQueue) over(t *machine.Thread) bool {
	return s.h.Throttled() && s.limit.(taker).Taken(t) > s.h.CanQueue()
}

// full reports whether a slot taken now would be none, or one too many.
func (s *perQueue) full(t *machine.Thread) bool {
	return s.limit.Full(t) || s.h.Throttled() && s.limit.(taker).Taken(t) >= s.h.CanQueue()
}

// room reports whether admit may succeed now.
func (s *perQueue) room(t *machine.Thread, d *pqDevice) bool {
	return !s.full(t) && s.open(t) && d.target.open(t)
}

func (tg *pqTarget) open(t *machine.Thread) bool {
	return tg.limit == nil || !tg.limit.Full(t) && tg.blocked.Load(t) == 0
}

func (s *perQueue) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	d := &s.devices[dev.Index]
	d.enter(t)
	if refused {
		d.plugIfAlone(t)
	}
}

func (s *perQueue) Exit(t *machine.Thread, dev *dispatch.Device) { s.devices[dev.Index].leave(t) }

func (s *perQueue) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	cmd.Serial = serial(cmd)
	s.h.DispatchBody(t, cmd)
	if s.h.State(t) == dispatch.HostDel {
		s.h.NoConnect(t, cmd)
		return dispatch.Accepted
	}
	return s.qcmd.call(t, s.h, cmd)
}

// serial numbers commands without anything shared: no two that are alive have
// the same, and none has 0.
func serial(cmd *dispatch.Command) uint64 { return cmd.Uses<<32 | uint64(cmd.Index) }

func (s *perQueue) Release(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	s.h.UnbusyBody(t, cmd)
	if cmd.Slots {
		cmd.Slots = false
		s.give(t)
		if d.target.limit != nil {
			d.target.limit.Give(t)
		}
	}
	d.enter(t)
	d.busy--
	d.leave(t)
}

func (s *perQueue) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	clear0(t, &s.blocked)
	clear0(t, &d.target.blocked)
	clear0(t, &d.blocked)
}

func (s *perQueue) End(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	d.enter(t)
	cmd.Live.Remove()
	d.leave(t)
}

// Put has nothing to do: a command goes with its request.
func (s *perQueue) Put(*machine.Thread, *dispatch.Command) {}

func (s *perQueue) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	if !run.Started {
		run.Started, run.Left = true, len(s.devices)
		s.h.RunQueueBody(t, run)
	}
	for run.Left > 0 && !s.starved.empty(t) && !s.full(t) && s.open(t) {
		i, ok := s.starved.next(t)
		if !ok {
			break
		}
		run.Left--
		d := &s.devices[i]
		if !d.target.open(t) {
			run.Again = s.starved.addWatched(t, i) || run.Again
			if !d.target.open(t) {
				continue
			}
		}
		d.enter(t)
		if d.runnable(t) {
			return d.dev
		}
		d.leave(t)
	}
	if run.Again && !s.starved.empty(t) && !s.full(t) && s.open(t) {
		run.Again = false
		s.h.Devices[0].Kick(t)
	}
	return nil
}

func (s *perQueue) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	d.enter(t)
	d.pushFront(cmd.Request)
	d.leave(t)
}

func (s *perQueue) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	d := &s.devices[dev.Index]
	block(t, s.h, code, &s.blocked, &d.target.blocked, &d.queue.blocked)
}

func (s *perQueue) SetHostState(t *machine.Thread, state dispatch.HostState) error {
	return s.h.StoreState(t, state)
}

func (s *perQueue) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	d := &s.devices[dev.Index]
	d.enter(t)
	dev.StoreState(t, state)
	d.stopped = state.Blocked()
	d.leave(t)
}

func (s *perQueue) SelfBlock(t *machine.Thread, on bool) {
	if on {
		s.self.Store(t, 1)
	} else {
		s.self.Store(t, 0)
	}
}
