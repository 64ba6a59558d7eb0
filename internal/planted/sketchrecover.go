package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Error handling of the sketch: it has no lock for the two counts, and so
// compares them wherever it has changed one.

// Fail implements dispatch.Recoverer.
func (s *sketch) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	if s.is("compares before it counts") {
		if s.h.Failing(t) && s.Quiet(t) {
			s.h.WakeHandler(t)
		}
		return s.h.AddFailed(t, cmd)
	}
	ok := s.h.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	return ok
}

// Quiet implements dispatch.Recoverer: the slots first, since they only become
// fewer.
func (s *sketch) Quiet(t *machine.Thread) bool {
	if s.is("never asks again") {
		return true
	}
	return s.equal(t)
}

func (s *sketch) equal(t *machine.Thread) bool {
	busy := int(s.busy.Load(t))
	if s.is("wakes one late") {
		return s.h.Failed(t) > busy
	}
	return busy == s.h.Failed(t)
}

func (s *sketch) wakeIfQuiet(t *machine.Thread) {
	if s.h.Failing(t) && s.equal(t) {
		s.h.WakeHandler(t)
	}
}

// canQueue is the host's limit now.
func (s *sketch) canQueue() uint64 {
	if s.is("can_queue read once") {
		return uint64(s.h.Template.CanQueue)
	}
	return uint64(s.h.CanQueue())
}
