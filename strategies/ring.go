package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies/mpmc"
)

// ring has no lock anywhere. Requests wait in a ring a device, requeued ones
// and those that pass a quiesced device in a second one, which comes first. A
// command is admitted before its request is taken out of a ring, so a refused
// one never has to go back: first a slot of the device, then one of the target
// where that has a limit, then a free tag of the host, of which there are
// can_queue. The completion side is the path's own lock-free lists, and the tags
// that go back into their ring.
//
// Whoever took a slot and gave it back without using it looks again for those
// who may have been refused because of it, as a completion does.
//
// Rings are worked on with interrupts off (see mpmc.Ring); nothing else is.
type ring struct {
	Counted
	tags    tagRing
	devices []ringDevice
}

type ringDevice struct {
	dev    *dispatch.Device
	target *Target
	fresh  *mpmc.Ring // requests, by index
	urgent *mpmc.Ring // requeued, and REQ_PREEMPT
	held   *mpmc.Ring // taken out just when the device or the host was stopped; before fresh ones

	_       [64]byte
	busy    machine.Word // device_busy
	_       [64]byte
	blocked machine.Word // device_blocked
	plugged machine.Word // 1 from plugging until the timer's run
	_       [64]byte
}

// queueSize is how many requests wait in a device's ring; whoever finds it full
// is held, as a thread waits for the 128 requests of a kernel queue.
const queueSize = 1024

func newRing(h *dispatch.Host) *ring {
	s := &ring{devices: make([]ringDevice, len(h.Devices))}
	s.Counted.Init(h, &s.tags, s.Enter)
	depths := 0
	for i, dev := range h.Devices {
		d := &s.devices[i]
		d.dev, d.target = dev, s.Target(dev)
		d.fresh = mpmc.New("queue", queueSize)
		d.urgent = mpmc.New("requeue", 2*dev.QueueDepth+64)
		d.held = mpmc.New("held", 2*dev.QueueDepth+64)
		d.busy.Init(dev.Own("device_busy").Line("scsi_device.device_busy"), 0)
		flags := dev.Own("device_flags")
		s.DeviceBlockedIn(i, &d.blocked, flags.Line(deviceBlocked))
		d.plugged.Init(flags.Line("request_queue.queue_flags"), 0)
		depths += dev.QueueDepth
	}
	// A host without a limit has as many tags as its devices can use.
	n := h.Template.CanQueue
	if n <= 0 || n > depths {
		n = depths
	}
	s.tags.init(n)
	return s
}

// tagRing is the free tags of a host.
type tagRing struct {
	free  *mpmc.Ring
	count int
}

func (r *tagRing) init(n int) {
	r.count = n
	// Room for twice as many, so that the cell of one that is on its way out is
	// not needed again at once.
	r.free = mpmc.New("tags", 2*n)
	for i := range n {
		r.free.Fill(uint32(i))
	}
}

// Alone reports whether the one tag that the caller has is the only one taken.
func (r *tagRing) Alone(t *machine.Thread) bool { return r.free.Len(t) >= r.count-1 }

// Full reports whether there is no tag.
func (r *tagRing) Full(t *machine.Thread) bool { return r.free.Empty(t) }

// Taken is how many tags are not free, or more, but never fewer: the end where
// tags come back is read first.
func (r *tagRing) Taken(t *machine.Thread) int {
	tail := r.free.Tail().Load(t)
	return r.count - int(int64(tail-r.free.Head().Load(t)))
}

func (s *ring) Insert(t *machine.Thread, rq *dispatch.Request) {
	d := &s.devices[rq.Device.Index]
	if rq.Preempt {
		push(t, d.urgent, rq.Cmd.Index)
		return
	}
	pushSleeping(t, d.fresh, rq)
}

// Enter has nothing to enter. It takes the plug's mark off before it looks, so
// that who finds the mark set can rely on this look; the timer stays armed.
func (s *ring) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	d := &s.devices[dev.Index]
	clear0(t, &d.plugged)
	return !(d.fresh.Empty(t) && d.urgent.Empty(t) && d.held.Empty(t)) && !dev.State(t).Blocked()
}

func (s *ring) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	d := &s.devices[dev.Index]
	gave, raised := false, false
	for {
		state := dev.State(t)
		if state.Blocked() || !d.waiting(t, state) {
			break
		}
		tag, a, undone := s.admit(t, d)
		gave = gave || undone
		if a == Admitted {
			index, ok := d.take(t, state)
			if !ok {
				// Another core took it. What was held meanwhile may have been
				// missed by a request that has come since: look again.
				s.give(t, d, tag)
				gave = true
				continue
			}
			cmd := s.Host.Command(index)
			cmd.Tag = int(tag)
			verdict := dev.State(t).Verdict(cmd.Prepared, cmd.Request.Preempt)
			if a = s.recheck(t, verdict); a == Admitted {
				if !cmd.Prepared && !cmd.Prepare(t) {
					// No memory: back to the front before its slot is given back,
					// so that whoever takes that slot finds it.
					cmd.Tag = -1
					push(t, d.urgent, index)
					s.give(t, d, tag)
					gave = true
					s.plugIfAlone(t, d)
					break
				}
				if verdict == dispatch.Kill {
					s.Host.NoConnect(t, cmd)
					continue
				}
				s.Host.ReadyBody(t, cmd)
				return cmd
			}
			cmd.Tag = -1
			back := d.held
			if cmd.Prepared || cmd.Request.Preempt {
				back = d.urgent
			}
			push(t, back, index)
			s.give(t, d, tag)
			gave = true
		}
		if a == Starves {
			gave = s.Starve(t, dev) || gave
			raised = raised || d.target.Limited()
		}
		if s.room(t, d) {
			continue
		}
		s.plugIfAlone(t, d)
		break
	}
	// A target's count was raised for a moment, and may have hidden its slot from
	// those who looked, while another core took the request that was to have it.
	gave = gave || raised && d.target.Open(t)
	if gave {
		s.Retry(t, dev)
	}
	return nil
}

// recheck looks again at what may have stopped the device or the host since the
// command was admitted: the request that was taken may have been submitted
// after that. What changes from here on finds it taken.
func (s *ring) recheck(t *machine.Thread, v dispatch.Verdict) Admission {
	switch {
	case v == dispatch.Kill:
		return Admitted
	case v == dispatch.Defer, s.Host.State(t).InRecovery():
		return Refused
	case s.self.Load(t) != 0:
		return Starves
	}
	return Admitted
}

// waiting reports whether there is a request that the device's state lets
// pass. Where it holds others back, the plug makes sure of a later look.
func (d *ringDevice) waiting(t *machine.Thread, state dispatch.DeviceState) bool {
	if !d.urgent.Empty(t) {
		return true
	}
	if d.fresh.Empty(t) && d.held.Empty(t) {
		return false
	}
	if state != dispatch.DeviceQuiesce {
		return true
	}
	if d.busy.Load(t) == 0 {
		d.plug(t)
	}
	return false
}

// take gets the next request; in a quiesced device those in the second ring
// alone.
func (d *ringDevice) take(t *machine.Thread, state dispatch.DeviceState) (uint32, bool) {
	if !d.urgent.Empty(t) {
		if v, ok := pop(t, d.urgent); ok {
			return v, true
		}
	}
	if state == dispatch.DeviceQuiesce {
		return 0, false
	}
	if !d.held.Empty(t) {
		if v, ok := pop(t, d.held); ok {
			return v, true
		}
	}
	return pop(t, d.fresh)
}

// admit takes a slot of the device, one of the target where that has a limit,
// and a tag, or none of them. undone says that it held a tag for a moment.
func (s *ring) admit(t *machine.Thread, d *ringDevice) (tag uint32, a Admission, undone bool) {
	if a = d.ready(t); a != Admitted {
		return 0, a, false
	}
	if a = d.target.Take(t); a != Admitted {
		d.busy.Dec(t)
		return 0, a, false
	}
	tag, ok := pop(t, s.tags.free)
	a = Starves
	if ok {
		if !s.Over(t) {
			a = s.Pass(t, &s.tags)
		}
		if a == Admitted {
			return tag, Admitted, false
		}
		push(t, s.tags.free, tag)
		s.WakeIfQuiet(t)
	}
	d.target.Give(t)
	d.busy.Dec(t)
	return 0, a, ok
}

// ready is scsi_dev_queue_ready, with a slot taken where it says Admitted. The
// blocked counter of a target without a limit is counted by the device's own
// commands.
func (d *ringDevice) ready(t *machine.Thread) Admission {
	before := int(d.busy.Add(t, 1)) - 1
	if before < d.dev.Depth() && unblocked(t, &d.blocked, before) && d.target.Unblocked(t, before) {
		return Admitted
	}
	d.busy.Dec(t)
	return Refused
}

// give takes an admission back.
func (s *ring) give(t *machine.Thread, d *ringDevice, tag uint32) {
	d.target.Give(t)
	push(t, s.tags.free, tag)
	s.WakeIfQuiet(t)
	d.busy.Dec(t)
}

// room reports whether admit may succeed now.
func (s *ring) room(t *machine.Thread, d *ringDevice) bool {
	return d.busy.Load(t) < uint64(d.dev.Depth()) && d.blocked.Load(t) == 0 &&
		d.target.blocked.Load(t) == 0 && d.target.Open(t) &&
		!s.Full(t) && s.Open(t)
}

func (s *ring) plugIfAlone(t *machine.Thread, d *ringDevice) {
	if d.busy.Load(t) == 0 {
		d.plug(t)
	}
}

// plug arms the timer unless it is armed already; only its run takes the mark
// off, so that a mark always has a timer behind it.
func (d *ringDevice) plug(t *machine.Thread) {
	if d.plugged.Load(t) == 0 && d.plugged.CAS(t, 0, 1) {
		d.dev.Plug(t)
	}
}

func (s *ring) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	if refused {
		s.plugIfAlone(t, &s.devices[dev.Index])
	}
}

func (s *ring) Exit(*machine.Thread, *dispatch.Device) {}

func (s *ring) Release(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	s.Host.UnbusyBody(t, cmd)
	tag := uint32(cmd.Tag)
	cmd.Tag = -1
	s.give(t, d, tag)
}

func (s *ring) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	push(t, s.devices[cmd.Device().Index].urgent, cmd.Index)
}

func (s *ring) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	dev.StoreState(t, state)
}
