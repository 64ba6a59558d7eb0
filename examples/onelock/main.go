// Command onelock is the lab with a whole strategy more, on strategies.Base:
//
//	go run . verify --strategy onelock
//	go run . run --strategy onelock --machine sim
//
// What to keep to: go doc hostlock/dispatch/contract.
package main

import (
	"slices"

	"hostlock/dispatch"
	"hostlock/lab"
	"hostlock/machine"
	"hostlock/strategies"
)

func main() { lab.Main() }

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name:     "onelock",
		About:    "one lock for all queues and counts of a host, held for moments, and never across queuecommand",
		Recovers: true,
		New:      func(h *dispatch.Host) (dispatch.Strategy, error) { return newOneLock(h), nil },
	})
}

// oneLock asks what host-lock would cost if it held one short lock instead of
// several, and no work were done within. The blocked counters and the targets' slots
// are Base's, in words; everything else is in plain fields under the lock.
type oneLock struct {
	strategies.Base
	lock    machine.SpinLock
	line    *machine.Line // of all that follows
	busy    int           // host_busy
	starved []int         // devices, the longest starved first
	devices []device
}

type device struct {
	queue   []*dispatch.Request
	busy    int // device_busy
	plugged bool
	stopped bool
	starved bool
}

func newOneLock(h *dispatch.Host) *oneLock {
	s := &oneLock{line: machine.NewLine("onelock"), devices: make([]device, len(h.Devices))}
	s.Base.Init(h)
	s.lock.Init(h.Machine(), "one_lock")
	return s
}

// enter takes the lock: that is what entering a queue is here.
func (s *oneLock) enter(t *machine.Thread) {
	strategies.LockIRQ(t, &s.lock)
	t.Touch(s.line)
}

func (s *oneLock) leave(t *machine.Thread) { strategies.UnlockIRQ(t, &s.lock) }

// runnable takes the plug off, and reports whether there is anything to run.
func (s *oneLock) runnable(t *machine.Thread, dev *dispatch.Device) bool {
	d := &s.devices[dev.Index]
	if d.plugged {
		d.plugged = false
		dev.Unplug(t)
	}
	return !d.stopped && len(d.queue) > 0
}

// plugIfAlone has the queue run later where no completion of the device will.
func (s *oneLock) plugIfAlone(t *machine.Thread, dev *dispatch.Device) {
	if d := &s.devices[dev.Index]; d.busy == 0 && !d.plugged && !d.stopped {
		d.plugged = true
		dev.Plug(t)
	}
}

func (s *oneLock) Insert(t *machine.Thread, rq *dispatch.Request) {
	s.enter(t)
	d := &s.devices[rq.Device.Index]
	at := len(d.queue)
	if rq.Preempt {
		at = 0
	}
	d.queue = slices.Insert(d.queue, at, rq)
	s.runnable(t, rq.Device)
}

func (s *oneLock) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	s.enter(t)
	if s.runnable(t, dev) {
		return true
	}
	s.leave(t)
	return false
}

func (s *oneLock) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	for !d.plugged && !d.stopped && len(d.queue) > 0 {
		rq := d.queue[0]
		cmd := &rq.Cmd
		verdict := dev.State(t).Verdict(cmd.Prepared, rq.Preempt)
		if verdict == dispatch.Defer || !cmd.Prepared && !cmd.Prepare(t) {
			break
		}
		if verdict == dispatch.Kill {
			// It takes no slot but the device's: Release tells by cmd.Slots.
			d.queue = slices.Delete(d.queue, 0, 1)
			d.busy++
			s.Host.NoConnect(t, cmd)
			continue
		}
		if s.admit(t, dev) != strategies.Admitted {
			break
		}
		d.queue = slices.Delete(d.queue, 0, 1)
		cmd.Slots = true
		s.leave(t)
		s.Host.ReadyBody(t, cmd)
		return cmd
	}
	if len(d.queue) > 0 {
		s.plugIfAlone(t, dev)
	}
	return nil
}

// admit takes a slot of device, target and host, or none. Under the lock nobody
// sees one that is taken and given back, and so nobody need look again.
func (s *oneLock) admit(t *machine.Thread, dev *dispatch.Device) strategies.Admission {
	d, tg := &s.devices[dev.Index], s.Target(dev)
	if !s.Unblocked(t, dev, d.busy) || d.busy >= dev.Depth() || !tg.Unblocked(t, d.busy) {
		return strategies.Refused
	}
	a := tg.Take(t)
	if a == strategies.Admitted {
		if a = s.takeHost(t); a == strategies.Admitted {
			d.busy++
			return a
		}
		tg.Give(t)
	}
	if a == strategies.Starves && !d.starved {
		d.starved = true
		s.starved = append(s.starved, dev.Index)
	}
	return a
}

func (s *oneLock) takeHost(t *machine.Thread) strategies.Admission {
	if s.full() {
		return strategies.Starves
	}
	s.busy++
	a := s.Pass(t, s)
	if a != strategies.Admitted {
		s.busy--
	}
	return a
}

// Alone tells Pass whether the one slot taken is the only one.
func (s *oneLock) Alone(*machine.Thread) bool { return s.busy == 1 }

func (s *oneLock) full() bool {
	limit := s.Host.CanQueue()
	return limit > 0 && s.busy >= limit
}

func (s *oneLock) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	s.enter(t)
	if refused {
		s.plugIfAlone(t, dev)
	}
}

func (s *oneLock) Exit(t *machine.Thread, _ *dispatch.Device) { s.leave(t) }

func (s *oneLock) Release(t *machine.Thread, cmd *dispatch.Command) {
	dev := cmd.Device()
	s.Host.UnbusyBody(t, cmd)
	s.enter(t)
	s.devices[dev.Index].busy--
	if cmd.Slots {
		cmd.Slots = false
		s.busy--
		s.Target(dev).Give(t)
		s.wakeIfQuiet(t)
	}
	s.leave(t)
}

// Starved looks at each device once a run, which is what run.Left counts.
func (s *oneLock) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	first := !run.Started
	if first {
		run.Started = true
		s.Host.RunQueueBody(t, run)
	}
	s.enter(t)
	if first {
		run.Left = len(s.starved)
	}
	for run.Left > 0 && len(s.starved) > 0 && !s.full() && s.Open(t) {
		i := s.starved[0]
		s.starved = slices.Delete(s.starved, 0, 1)
		run.Left--
		dev := s.Host.Devices[i]
		if !s.Target(dev).Open(t) {
			s.starved = append(s.starved, i)
			continue
		}
		s.devices[i].starved = false
		if s.runnable(t, dev) {
			return dev
		}
	}
	s.leave(t)
	return nil
}

func (s *oneLock) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	s.enter(t)
	d := &s.devices[cmd.Device().Index]
	d.queue = slices.Insert(d.queue, 0, cmd.Request)
	s.leave(t)
}

func (s *oneLock) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	s.enter(t)
	dev.StoreState(t, state)
	s.devices[dev.Index].stopped = state.Blocked()
	s.leave(t)
}

// Fail and Quiet make it a dispatch.Recoverer: both numbers are compared under the
// lock.
func (s *oneLock) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	s.enter(t)
	ok := s.Host.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	s.leave(t)
	return ok
}

func (s *oneLock) wakeIfQuiet(t *machine.Thread) {
	if s.Host.Failing(t) && s.busy == s.Host.Failed(t) {
		s.Host.WakeHandler(t)
	}
}

func (s *oneLock) Quiet(t *machine.Thread) bool {
	s.enter(t)
	quiet := s.busy == s.Host.Failed(t)
	s.leave(t)
	return quiet
}
