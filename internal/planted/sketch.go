package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// sketched are the mistakes that the sketch can make; is names the place.
var sketched = []struct{ name, about string }{
	{"missing unlock", "the way out for a deleted host leaves host_lock taken"},
	{"interrupts on", "host_lock, which a softirq takes, is taken with interrupts on"},
	{"wrong nesting", "queue_lock is taken within host_lock"},
	{"sleeps under lock", "the call to the driver sleeps while host_lock is held"},
	{"unlock before insert", "a request is put into the queue after queue_lock was let go"},
	{"forgets to starve", "a device that is refused a slot is not made known as starved"},
	{"starved list skipped", "a completion does not look for starved devices"},
	{"does not look again", "whoever refused does not look for a slot again after it made known that the device starves"},
	{"starves before it requeues", "a device is made known as starved before its request is back in its queue"},
	{"one starved only", "a completion restarts one starved device and forgets the others"},
	{"no plug", "a queue that is refused with nothing outstanding is not plugged"},
	{"blocked for ever", "a blocked counter is never counted down"},
	{"requeue at the tail", "a refused request goes back to the wrong end of its queue"},
	{"requeue forgotten", "a request that the driver refused is dropped"},
	{"last in, first out", "requests are inserted at the head"},
	{"ignores SHOST_DEL", "commands reach the driver of a deleted host"},
	{"ignores quiesce", "a quiesced device gets ordinary requests"},
	{"ignores preempt", "a request that a quiesced device must take is put behind those that wait"},
	{"ignores offline", "an offline device gets requests"},
	{"ignores self-block", "a host that has blocked itself gets commands"},
	{"ignores recovery", "a host in recovery gets commands"},
	{"no target limit", "the target's slots are not counted"},
	{"device slot leaks", "a device slot is not given back when the host refuses"},
	{"plain countdown", "a slot is given back by a load and a store"},
	{"gives before it completes", "the slots are given back before the driver is called"},
	{"release out of order", "the host's slot is given back only after the starved devices were looked at"},
	{"unplug without a run", "a plug is taken off although nobody runs the queue"},
	{"wakes one late", "the error handler is woken when more commands have failed than are outstanding"},
	{"no wake-up on release", "scsi_device_unbusy does not wake the error handler"},
	{"no wake-up when unused", "who gives a slot back unused, which made the host look busy, does not wake the error handler"},
	{"compares before it counts", "a command that times out is counted after the counts were compared"},
	{"never asks again", "the error handler's thread takes a late wake-up for a quiet host"},
	{"starved passes recovery", "a device that is starved already is not stopped by its host's recovery"},
	{"looks at recovery first", "the host's state is looked at before a slot is taken, and not after"},
	{"can_queue read once", "the driver's change of can_queue is not looked at"},
	{"looks before it locks", "whether the queue is empty is read before queue_lock is taken"},
	{"counts after it unlocked", "device_busy is counted down after queue_lock was let go"},
	{"no number", "a command reaches the driver without a serial number"},
	{"a number twice", "two commands in a row now and then have one serial number"},
	{"the number wraps", "the serial number has 16 bits, so that command 65,536 has the number 0"},
	{"one more while blocked", "a host that is blocked admits one command above can_queue"},
	{"the first always wins", "the search for a starved device begins with the first LUN each time, so that the last one starves"},
	{"numbers outside the lock", "the serial number is taken before host_lock is"},
}

// sketch is a small strategy: a lock a device for its queue, a lock for the
// serial number, and atomics for everything between devices. It is right where
// fault is empty.
type sketch struct {
	h       *dispatch.Host
	fault   string
	lock    machine.SpinLock // host_lock
	line    *machine.Line    // of serial, under the lock
	serial  uint64
	busy    machine.Word // host_busy
	blocked machine.Word // host_blocked
	self    machine.Word // host_self_blocked
	starved machine.Word // a bit a device
	owed    machine.Word // slots to give back later
	turn    machine.Word // after whom the next starved device is looked for
	targets []machine.Word
	devices []sketchDevice
}

type sketchDevice struct {
	dev     *dispatch.Device
	lock    machine.SpinLock // queue_lock
	line    *machine.Line    // of the next four, under the lock
	queue   []*dispatch.Request
	busy    int
	plugged bool
	stopped bool
	blocked machine.Word
}

func newSketch(h *dispatch.Host, fault string) *sketch {
	s := &sketch{h: h, fault: fault, targets: make([]machine.Word, len(h.Targets)), devices: make([]sketchDevice, len(h.Devices))}
	s.lock.Init(h.Machine(), "host_lock")
	s.line = machine.NewLine("scsi_host")
	for name, w := range map[string]*machine.Word{"host_busy": &s.busy, "host_blocked": &s.blocked, "host_self": &s.self, "starved": &s.starved, "owed": &s.owed, "turn": &s.turn} {
		w.Init(machine.NewLine(name), 0)
	}
	for i := range s.targets {
		s.targets[i].Init(machine.NewLine("target_busy"), 0)
	}
	for i, dev := range h.Devices {
		d := &s.devices[i]
		d.dev = dev
		d.lock.Init(h.Machine(), "queue_lock")
		d.line = machine.NewLine("request_queue")
		d.blocked.Init(machine.NewLine("device_blocked"), 0)
	}
	return s
}

func (s *sketch) is(fault string) bool { return s.fault == fault }

func (d *sketchDevice) enter(t *machine.Thread) { t.IRQSave(); d.lock.Lock(t); t.Touch(d.line) }
func (d *sketchDevice) leave(t *machine.Thread) { d.lock.Unlock(t); t.IRQRestore(false) }

func (d *sketchDevice) plug(t *machine.Thread) {
	if !d.plugged && !d.stopped {
		d.plugged = true
		d.dev.Plug(t)
	}
}

func (d *sketchDevice) unplug(t *machine.Thread) {
	if d.plugged {
		d.plugged = false
		d.dev.Unplug(t)
	}
}

func (s *sketch) plugIfAlone(t *machine.Thread, d *sketchDevice) {
	if d.busy == 0 && !s.is("no plug") {
		d.plug(t)
	}
}

func (d *sketchDevice) push(front bool, rq *dispatch.Request) {
	if front {
		d.queue = append([]*dispatch.Request{rq}, d.queue...)
		return
	}
	d.queue = append(d.queue, rq)
}

func (s *sketch) Insert(t *machine.Thread, rq *dispatch.Request) {
	d := &s.devices[rq.Device.Index]
	d.enter(t)
	if s.is("unlock before insert") {
		n := len(d.queue)
		q := d.queue[:n:n]
		d.leave(t)
		d.enter(t)
		d.queue = append(q, rq) // what was there before somebody else came
	} else {
		d.push(rq.Preempt && !s.is("ignores preempt") || s.is("last in, first out"), rq)
	}
	d.unplug(t)
}

func (s *sketch) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	d := &s.devices[dev.Index]
	if s.is("looks before it locks") {
		if t.Look(d.line); len(d.queue) == 0 {
			return false
		}
	}
	d.enter(t)
	d.unplug(t)
	if !d.stopped && len(d.queue) > 0 && !(s.is("unplug without a run") && d.busy == 0) {
		return true
	}
	d.leave(t)
	return false
}

func (s *sketch) Back(t *machine.Thread, dev *dispatch.Device, refused bool) {
	d := &s.devices[dev.Index]
	d.enter(t)
	if refused {
		s.plugIfAlone(t, d)
	}
}

func (s *sketch) Exit(t *machine.Thread, dev *dispatch.Device) { s.devices[dev.Index].leave(t) }

func (s *sketch) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if !s.is("interrupts on") {
		t.IRQSave()
	}
	if s.is("numbers outside the lock") {
		s.number(t, cmd)
		s.lock.Lock(t)
	} else {
		s.lock.Lock(t)
		s.number(t, cmd)
	}
	s.h.DispatchBody(t, cmd)
	if s.is("sleeps under lock") {
		t.Sleep(1)
	}
	if s.h.State(t) == dispatch.HostDel && !s.is("ignores SHOST_DEL") {
		s.h.NoConnect(t, cmd)
		if !s.is("missing unlock") {
			s.lock.Unlock(t)
		}
		t.IRQRestore(false)
		return dispatch.Accepted
	}
	if s.is("gives before it completes") {
		s.busy.Dec(t)
	}
	if s.h.Template.NeedsHostLock {
		code := s.h.QueueCommand(t, cmd)
		s.lock.Unlock(t)
		t.IRQRestore(false)
		return code
	}
	s.lock.Unlock(t)
	t.IRQRestore(false)
	return s.h.QueueCommand(t, cmd)
}

func (s *sketch) number(t *machine.Thread, cmd *dispatch.Command) {
	t.Touch(s.line)
	if s.is("no number") {
		return
	}
	if !s.is("a number twice") || s.serial%5 != 4 {
		s.serial++
	}
	if s.is("the number wraps") {
		s.serial &= 0xffff
	}
	cmd.Serial = s.serial
}

func (s *sketch) Release(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	s.h.UnbusyBody(t, cmd)
	switch {
	case s.is("plain countdown"):
		s.busy.Store(t, s.busy.Load(t)-1)
	case s.is("gives before it completes"):
	case s.is("release out of order"):
		s.owed.Add(t, 1)
	default:
		s.busy.Dec(t)
	}
	if !s.is("no wake-up on release") {
		s.wakeIfQuiet(t)
	}
	s.giveTarget(t, d)
	t.IRQSave()
	switch {
	case s.is("wrong nesting"):
		s.lock.Lock(t)
		d.lock.Lock(t)
		d.countDown(t)
		d.lock.Unlock(t)
		s.lock.Unlock(t)
	case s.is("counts after it unlocked"):
		d.lock.Lock(t)
		d.lock.Unlock(t)
		d.countDown(t)
	default:
		// The softirq that takes host_lock: its time of the last command.
		s.lock.Lock(t)
		s.lock.Unlock(t)
		d.lock.Lock(t)
		d.countDown(t)
		d.lock.Unlock(t)
	}
	t.IRQRestore(false)
}

func (d *sketchDevice) countDown(t *machine.Thread) {
	t.Touch(d.line)
	d.busy--
}

func (s *sketch) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	s.blocked.Store(t, 0)
	s.devices[cmd.Device().Index].blocked.Store(t, 0)
}

func (s *sketch) End(*machine.Thread, *dispatch.Command) {}

func (s *sketch) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	d := &s.devices[cmd.Device().Index]
	if s.is("requeue forgotten") {
		return
	}
	d.enter(t)
	d.push(!s.is("requeue at the tail"), cmd.Request)
	d.leave(t)
}

func (s *sketch) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	switch code {
	case dispatch.HostBusy:
		s.blocked.Store(t, uint64(s.h.Template.MaxHostBlocked))
	case dispatch.TargetBusy, dispatch.DeviceBusy:
		s.devices[dev.Index].blocked.Store(t, uint64(s.h.MaxDeviceBlocked))
	}
}

func (s *sketch) SetHostState(t *machine.Thread, state dispatch.HostState) error {
	return s.h.StoreState(t, state)
}

func (s *sketch) SetDeviceState(t *machine.Thread, dev *dispatch.Device, state dispatch.DeviceState) {
	d := &s.devices[dev.Index]
	d.enter(t)
	dev.StoreState(t, state)
	d.stopped = state.Blocked()
	d.leave(t)
}

func (s *sketch) SelfBlock(t *machine.Thread, on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	s.self.Store(t, v)
}
