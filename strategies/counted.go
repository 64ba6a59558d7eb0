package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Slots is what Counted must know of a host's slots. A [Limit] is one.
type Slots interface {
	Full(t *machine.Thread) bool
	Alone(t *machine.Thread) bool
	Taken(t *machine.Thread) int
}

// Counted is [Base] for a strategy that has no lock over its devices: the host's
// slots are counted in words, starved devices wait in a ring, and errors can be
// handled. To Base's verbs it adds Starved, Fail and Quiet.
//
// Under host_lock, host_busy and host_failed are compared as in the kernel. Here
// nobody has a lock for it. Whoever changes one of the two compares both
// afterwards ([Counted.WakeIfQuiet]), so the last one sees them as they stay. A
// slot that is held for a moment and given back unused can only make the host look
// busier than it is, and whoever gives it back compares again. The slots must be
// read before the failed commands: slots that are taken in earnest only become
// fewer during recovery, failed commands only more, and each of those has a slot,
// so that if the two numbers are the same they were so at the second reading.
type Counted struct {
	Base
	slots   Slots
	starved *StarvedRing
	enter   func(t *machine.Thread, dev *dispatch.Device) bool
}

// Init is Base's, and is given the host's slots and the strategy's own Enter.
func (s *Counted) Init(h *dispatch.Host, slots Slots, enter func(t *machine.Thread, dev *dispatch.Device) bool) {
	s.Base.Init(h)
	s.slots, s.starved, s.enter = slots, NewStarvedRing(len(h.Devices)), enter
}

// Fail implements [dispatch.Recoverer].
func (s *Counted) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	ok := s.Host.AddFailed(t, cmd)
	if ok {
		s.WakeIfQuiet(t)
	}
	return ok
}

// WakeIfQuiet is for whoever has given a slot of the host back.
func (s *Counted) WakeIfQuiet(t *machine.Thread) {
	if s.Host.Failing(t) && s.Quiet(t) {
		s.Host.WakeHandler(t)
	}
}

// Quiet implements [dispatch.Recoverer].
func (s *Counted) Quiet(t *machine.Thread) bool {
	busy := s.slots.Taken(t)
	return busy == s.Host.Failed(t)
}

// Over reports whether a slot that was just taken is one too many for a host
// whose driver has lowered can_queue, which the slots do not know. They are
// counted after the own one was taken, so that of two one at least sees both.
func (s *Counted) Over(t *machine.Thread) bool {
	return s.Host.Throttled() && s.slots.Taken(t) > s.Host.CanQueue()
}

// Full reports whether a slot taken now would be none, or one too many.
func (s *Counted) Full(t *machine.Thread) bool {
	return s.slots.Full(t) || s.Host.Throttled() && s.slots.Taken(t) >= s.Host.CanQueue()
}

// Starve makes it known that a device waits for a slot, and reports whether its
// entry may have hidden others of the ring for a moment: see [Counted.Retry].
func (s *Counted) Starve(t *machine.Thread, dev *dispatch.Device) (hid bool) {
	if !s.Target(dev).Limited() {
		s.starved.Add(t, dev.Index)
		return false
	}
	return s.starved.AddWatched(t, dev.Index)
}

// Retry is for whoever has given back what it did not use: that may have been
// what another device was refused for, and nobody else knows. It has the queue run
// where somebody waits and may go on.
func (s *Counted) Retry(t *machine.Thread, dev *dispatch.Device) {
	if s.Open(t) && !s.Full(t) && !s.starved.Empty(t) {
		dev.Kick(t)
	}
}

func (s *Counted) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	if !run.Started {
		run.Started, run.Left = true, len(s.devices)
		s.Host.RunQueueBody(t, run)
	}
	for run.Left > 0 && !s.starved.Empty(t) && !s.Full(t) && s.Open(t) {
		i, ok := s.starved.Next(t)
		if !ok {
			break
		}
		run.Left--
		dev := s.Host.Devices[i]
		if tg := s.Target(dev); !tg.Open(t) {
			run.Again = s.starved.AddWatched(t, i) || run.Again
			if !tg.Open(t) {
				continue
			}
		}
		if s.enter(t, dev) {
			return dev
		}
	}
	if run.Again && !s.starved.Empty(t) && !s.Full(t) && s.Open(t) {
		run.Again = false
		s.Host.Devices[0].Kick(t)
	}
	return nil
}
