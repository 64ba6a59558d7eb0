package strategies

import (
	"hostlock/machine"
	"hostlock/strategies/mpmc"
)

// starvedRing is the starved list without a lock: a ring of devices in the
// order in which they starved, each at most once.
//
// No wake-up is lost as long as (1) a device is added after its request can be
// found in its queue, and whoever adds it looks for a slot once more
// afterwards; (2) whoever gives a slot back looks here afterwards; (3) whoever
// takes a device out here then runs its queue. Either the one who gives back
// sees the device, or the one who added it sees the slot.
type starvedRing struct {
	ring *mpmc.Ring
	flag []machine.Word // 1 while a device is in the ring
}

func newStarvedRing(devices int) *starvedRing {
	s := &starvedRing{ring: mpmc.New("starved", devices), flag: make([]machine.Word, devices)}
	for i := range s.flag {
		s.flag[i].Init(machine.NewLine("starved_entry"), 0)
	}
	return s
}

// add makes it known that a device starves. A device that is being taken out
// at this moment needs no second entry: its flag goes down before its queue is
// run.
func (s *starvedRing) add(t *machine.Thread, device int) {
	if s.flag[device].Load(t) != 0 || !s.flag[device].CAS(t, 0, 1) {
		return
	}
	off := t.IRQSave()
	ok := s.ring.Enqueue(t, uint32(device))
	t.IRQRestore(off)
	if !ok {
		panic("strategies: the starved ring is full, although it has room for every device")
	}
}

// next takes the device that has starved longest.
func (s *starvedRing) next(t *machine.Thread) (int, bool) {
	off := t.IRQSave()
	v, ok := s.ring.Dequeue(t)
	t.IRQRestore(off)
	if !ok {
		return 0, false
	}
	s.flag[v].Store(t, 0)
	return int(v), true
}

func (s *starvedRing) empty(t *machine.Thread) bool { return s.ring.Empty(t) }
