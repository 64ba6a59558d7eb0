package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// Under host_lock, host_busy and host_failed are compared as in the kernel.
// The others have no lock for it. There, whoever changes one of the two compares
// both afterwards, so the last one sees them as they stay. A slot that is held for a
// moment and given back unused can only make the host look busier than it is, and
// whoever gives it back compares again. The slots must be read before the failed
// commands: slots that are taken in earnest only become fewer during recovery,
// failed commands only more, and each of those has a slot, so that if the two
// numbers are the same they were so at the second reading.

// Fail implements dispatch.Recoverer (scsi_eh_scmd_add).
func (s *hostLock) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	lockIRQ(t, &s.lock)
	t.Touch(s.line)
	ok := s.h.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	unlockIRQ(t, &s.lock)
	return ok
}

// wakeIfQuiet is scsi_eh_wakeup, under host_lock.
func (s *hostLock) wakeIfQuiet(t *machine.Thread) {
	if s.h.Failing(t) && s.busy == s.h.Failed(t) {
		s.h.WakeHandler(t)
	}
}

// Quiet implements dispatch.Recoverer. The kernel's thread asks without the lock;
// here that would be a race that Go does not allow.
func (s *hostLock) Quiet(t *machine.Thread) bool {
	lockIRQ(t, &s.lock)
	t.Look(s.line)
	quiet := s.busy == s.h.Failed(t)
	unlockIRQ(t, &s.lock)
	return quiet
}

// Fail implements dispatch.Recoverer.
func (s *perQueue) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	ok := s.h.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	return ok
}

// give gives a slot of the host back, and wakes the handler that waits for it.
func (s *perQueue) give(t *machine.Thread) {
	s.limit.Give(t)
	s.wakeIfQuiet(t)
}

func (s *perQueue) wakeIfQuiet(t *machine.Thread) {
	if s.h.Failing(t) && s.Quiet(t) {
		s.h.WakeHandler(t)
	}
}

// Quiet implements dispatch.Recoverer.
func (s *perQueue) Quiet(t *machine.Thread) bool {
	busy := s.limit.(taker).Taken(t)
	return busy == s.h.Failed(t)
}

// Fail implements dispatch.Recoverer.
func (s *ring) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	ok := s.h.AddFailed(t, cmd)
	if ok {
		s.wakeIfQuiet(t)
	}
	return ok
}

func (s *ring) wakeIfQuiet(t *machine.Thread) {
	if s.h.Failing(t) && s.Quiet(t) {
		s.h.WakeHandler(t)
	}
}

// Quiet implements dispatch.Recoverer.
func (s *ring) Quiet(t *machine.Thread) bool {
	busy := s.tags.taken(t)
	return busy == s.h.Failed(t)
}

// taken is how many tags are not free, or more, but never fewer: the end where
// tags come back is read first.
func (r *tagRing) taken(t *machine.Thread) int {
	tail := r.free.Tail().Load(t)
	return r.count - int(int64(tail-r.free.Head().Load(t)))
}
