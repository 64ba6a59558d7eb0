package locks

import "hostlock/machine"

// sema is a semaphore as Go's runtime has them: waiters sleep, first come first
// served but for those who say that they have waited before.
type sema struct {
	root  machine.SpinLock // of the runtime's table of waiters
	count uint64           // releases that nobody waited for; under root
	queue []*sleeper       // under root
	line  *machine.Line    // of both
}

type sleeper struct {
	woken machine.Completion
}

func (s *sema) init(e Env) {
	s.root.Init(e.Machine, e.Class+" sema")
	s.line = machine.NewLine(e.Class + " sema")
}

// acquire takes one release, and sleeps until there is one. It goes to the head
// of the queue where first says so.
func (s *sema) acquire(t *machine.Thread, first bool) {
	s.root.Lock(t)
	t.Touch(s.line)
	if s.count > 0 {
		s.count--
		s.root.Unlock(t)
		return
	}
	w := new(sleeper)
	w.woken.Init()
	if first {
		s.queue = append([]*sleeper{w}, s.queue...)
	} else {
		s.queue = append(s.queue, w)
	}
	s.root.Unlock(t)
	w.woken.Wait(t)
}

// release leaves one, and wakes who waits for it; with handOff the waiter gets
// the rest of this processor's time at once.
func (s *sema) release(t *machine.Thread, handOff bool) {
	s.root.Lock(t)
	t.Touch(s.line)
	if len(s.queue) == 0 {
		s.count++
		s.root.Unlock(t)
		return
	}
	w := s.queue[0]
	s.queue = s.queue[1:]
	s.root.Unlock(t)
	w.woken.Complete(t)
	if handOff {
		t.Yield()
	}
}
