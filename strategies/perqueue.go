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
	Counted
	Queues
	limit Limit
	live  []dispatch.Node // by device, under its queue's lock
}

// NewPerQueue makes the strategy of a host with a limit of one's own.
func NewPerQueue(h *dispatch.Host, limit Limit) dispatch.Strategy {
	limit = watch(h, limit)
	s := &perQueue{limit: limit, live: make([]dispatch.Node, len(h.Devices))}
	s.Counted.Init(h, limit, s.Queues.Enter)
	s.Queues.Init(&s.Base)
	for i := range s.live {
		s.live[i].InitHead()
	}
	return s
}

func (s *perQueue) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	q := s.Queue(dev)
	gave := false
	for rq := q.Head(); rq != nil; rq = q.Head() {
		cmd := &rq.Cmd
		verdict := dev.State(t).Verdict(cmd.Prepared, rq.Preempt)
		if verdict == dispatch.Defer {
			q.PlugIfAlone(t)
			break
		}
		if !cmd.Prepared {
			if !cmd.Prepare(t) {
				q.PlugIfAlone(t)
				break
			}
			s.live[dev.Index].PushBack(&cmd.Live)
		}
		if verdict == dispatch.Kill {
			// It never reaches the driver, and takes no slot but the device's.
			q.Start()
			s.Host.NoConnect(t, cmd)
			continue
		}
		if !q.Ready(t) {
			break
		}
		if !s.Target(dev).Unblocked(t, q.Busy()) {
			q.PlugIfAlone(t)
			break
		}
		q.Start()
		q.Leave(t)
		a, undone := s.admit(t, s.Target(dev))
		if a == Admitted {
			cmd.Slots = true
			s.Host.ReadyBody(t, cmd)
			return cmd
		}
		gave = gave || undone
		q.Enter(t)
		q.Restart(rq)
		if a == Starves {
			gave = s.Starve(t, dev) || gave
		}
		// A slot may have come free since it was refused.
		if s.Full(t) || !s.Open(t) || !s.Target(dev).Open(t) {
			q.PlugIfAlone(t)
			break
		}
	}
	if gave {
		s.Retry(t, dev)
	}
	return nil
}

// admit takes a slot of the target and one of the host, or none. undone says
// that it held one of the host for a moment, for which others may have been
// refused.
func (s *perQueue) admit(t *machine.Thread, tg *Target) (a Admission, undone bool) {
	if a := tg.Take(t); a != Admitted {
		return a, false
	}
	a = Starves
	if s.limit.Take(t) {
		if !s.Over(t) {
			if a = s.Pass(t, s.limit); a == Admitted {
				return a, false
			}
		}
		s.limit.Give(t)
	}
	// Where there was no slot, a counter was raised for a moment all the same, and
	// may have hidden that the host is quiet.
	s.WakeIfQuiet(t)
	tg.Give(t)
	return a, true
}

func (s *perQueue) Release(t *machine.Thread, cmd *dispatch.Command) {
	dev := cmd.Device()
	s.Host.UnbusyBody(t, cmd)
	if cmd.Slots {
		cmd.Slots = false
		s.limit.Give(t)
		s.WakeIfQuiet(t)
		s.Target(dev).Give(t)
	}
	s.Queue(dev).Done(t)
}

// End takes the command off the device's list of live ones.
func (s *perQueue) End(t *machine.Thread, cmd *dispatch.Command) {
	q := s.Queue(cmd.Device())
	q.Enter(t)
	cmd.Live.Remove()
	q.Leave(t)
}
