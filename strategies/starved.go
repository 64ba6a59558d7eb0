package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies/mpmc"
)

// push appends to a ring, and waits while it is full. Interrupts are off around
// each attempt, for the reason given at mpmc.Ring.
func push(t *machine.Thread, r *mpmc.Ring, v uint32) {
	for {
		off := t.IRQSave()
		ok := r.Enqueue(t, v)
		t.IRQRestore(off)
		if ok {
			return
		}
		t.Relax(r.Head())
	}
}

// pushSleeping is push for a thread that submits: where the ring is full, it sleeps
// until a request of the device has been finished. A slow device keeps its ring full
// for long, and who takes from it needs a core.
func pushSleeping(t *machine.Thread, r *mpmc.Ring, rq *dispatch.Request) {
	index := rq.Cmd.Index // rq may be another core's as soon as it is in
	off := t.IRQSave()
	ok := r.Enqueue(t, index)
	t.IRQRestore(off)
	if !ok {
		rq.Device.Hold(t, rq, func() bool {
			off := t.IRQSave()
			ok := r.Enqueue(t, index)
			t.IRQRestore(off)
			return ok
		})
	}
}

func pop(t *machine.Thread, r *mpmc.Ring) (uint32, bool) {
	off := t.IRQSave()
	v, ok := r.Dequeue(t)
	t.IRQRestore(off)
	return v, ok
}

// StarvedRing is the starved list without a lock: a ring of devices in the
// order in which they starved, each at most once.
//
// No wake-up is lost as long as (1) a device is added after its request can be
// found in its queue, and whoever adds it looks for a slot once more
// afterwards; (2) whoever gives a slot back looks here afterwards; (3) whoever
// takes a device out here then runs its queue. Either the one who gives back
// sees the device, or the one who added it sees the slot.
type StarvedRing struct {
	ring *mpmc.Ring
	flag []machine.Word // 1 while a device is in the ring
}

func NewStarvedRing(devices int) *StarvedRing {
	s := &StarvedRing{ring: mpmc.New("starved", devices), flag: make([]machine.Word, devices)}
	for i := range s.flag {
		s.flag[i].Init(machine.NewLine("starved_entry"), 0)
	}
	return s
}

// Add makes it known that a device starves. A device that is being taken out
// at this moment needs no second entry: its flag goes down before its queue is
// run.
func (s *StarvedRing) Add(t *machine.Thread, device int) {
	if s.flag[device].Load(t) != 0 || !s.flag[device].CAS(t, 0, 1) {
		return
	}
	// There is room for every device, but one that is just being taken out may
	// hold up its cell while others go round the ring.
	push(t, s.ring, uint32(device))
}

// AddWatched is Add, and reports whether another entry was claimed meanwhile.
// Until an entry is there, those behind it cannot be seen: a completion that
// looks then finds an empty ring. Where devices wait for the host's slots that
// does no harm, since other commands of the host are yet to complete, and to
// look. Under limits of targets there may be none: whoever was in front has the
// ring looked at again.
func (s *StarvedRing) AddWatched(t *machine.Thread, device int) bool {
	before := s.ring.Tail().Load(t)
	s.Add(t, device)
	return s.ring.Tail().Load(t) > before+1
}

// Next takes the device that has starved longest.
func (s *StarvedRing) Next(t *machine.Thread) (int, bool) {
	v, ok := pop(t, s.ring)
	if !ok {
		return 0, false
	}
	s.flag[v].Store(t, 0)
	return int(v), true
}

// Empty reports whether no device waits.
func (s *StarvedRing) Empty(t *machine.Thread) bool { return s.ring.Empty(t) }
