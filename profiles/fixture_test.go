package profiles

import (
	"runtime"
	"runtime/pprof"
	"time"

	"hostlock/machine"
	"hostlock/results"
)

// bench is the hook that writes down a sample, with a real stack, of each
// operation.
type bench struct {
	machine.Hook
	core     int
	spin     map[string]time.Duration // by class@section
	sections []string
	samples  []machine.Sample
}

// adopter is a machine that can do no more than adopt locks. The rest of the
// interface lies one level deeper than Base, which therefore wins.
type adopter struct {
	machine.Base
	unused
}

type unused struct{ machine.Machine }

func (adopter) LockKind(string) machine.Kind { return machine.Ticket }

func (b *bench) record(what machine.What, class string, d time.Duration) *machine.Sample {
	pcs := make([]uintptr, 64)
	// Callers and record itself are left out; the hook's method is not.
	pcs = pcs[:runtime.Callers(2, pcs)]
	s := machine.Sample{
		Stack: pcs, What: what, Class: class, Path: append([]string(nil), b.sections...),
		Core: b.core, Socket: b.core / 2, Count: 1, Time: d,
	}
	if n := len(b.sections); n > 0 {
		s.Section = b.sections[n-1]
	}
	b.samples = append(b.samples, s)
	return &b.samples[len(b.samples)-1]
}

func (b *bench) section() string { return b.sections[len(b.sections)-1] }

func (b *bench) Enter(s *machine.Section) { b.sections = append(b.sections, s.Name) }
func (b *bench) Leave()                   { b.sections = b.sections[:len(b.sections)-1] }

func (b *bench) Lock(l *machine.SpinLock) {
	d := b.spin[l.Class()+"@"+b.section()]
	if d > 0 {
		b.record(machine.Spinning, l.Class(), d)
	}
	s := b.record(machine.Working, l.Class(), 0)
	s.Count, s.Hold, s.Holds, s.Blocked = 0, 2*time.Microsecond, 1, d/2
}
func (b *bench) Unlock(*machine.SpinLock) {}
func (b *bench) Work(d time.Duration)     { b.record(machine.Working, "", d) }
func (b *bench) Access(l *machine.Line, _ *machine.Word, _ machine.Op) {
	b.record(machine.LineWait, l.Class, 3*time.Microsecond)
	b.record(machine.LineTransfer, l.Class, 2*time.Microsecond)
}
func (b *bench) Retry(w *machine.Word) { b.record(machine.Retrying, w.Line().Class, time.Microsecond) }
func (b *bench) Note(*machine.Line)    {}

var (
	secRunQueue  = machine.NewSection(results.RunQueue)
	secRequest   = machine.NewSection(results.RequestFn)
	secDispatch  = machine.NewSection(results.DispatchCmd)
	secUnbusy    = machine.NewSection(results.DeviceUnbusy)
	secQueuecmd  = machine.NewSection("queuecommand")
	secUserspace = machine.NewSection("fs_write")
)

// host has paths of the names that the real one has.
type host struct {
	hostLock, queueLock machine.SpinLock
	ring                machine.Word
}

//go:noinline
func (h *host) RunQueue(t *machine.Thread) {
	t.Enter(secRunQueue)
	defer t.Leave()
	h.hostLock.Lock(t)
	h.hostLock.Unlock(t)
	h.RequestFn(t)
}

//go:noinline
func (h *host) RequestFn(t *machine.Thread) {
	t.Enter(secRequest)
	defer t.Leave()
	h.queueLock.Lock(t)
	h.queueLock.Unlock(t)
	h.takeHostLock(t)
	t.Work(10 * time.Microsecond)
	h.DispatchCmd(t)
}

// takeHostLock stands for a strategy's own function between path and lock.
//
//go:noinline
func (h *host) takeHostLock(t *machine.Thread) {
	h.hostLock.Lock(t)
	h.hostLock.Unlock(t)
}

//go:noinline
func (h *host) DispatchCmd(t *machine.Thread) {
	t.Enter(secDispatch)
	defer t.Leave()
	t.Work(time.Microsecond)
	func() {
		t.Enter(secQueuecmd)
		defer t.Leave()
		// Charged to scsi_dispatch_cmd, though the innermost section is another.
		h.hostLock.Lock(t)
		h.hostLock.Unlock(t)
		t.Work(30 * time.Microsecond)
	}()
}

//go:noinline
func (h *host) DeviceUnbusy(t *machine.Thread) {
	t.Enter(secUnbusy)
	defer t.Leave()
	h.hostLock.Lock(t)
	h.hostLock.Unlock(t)
	h.ring.CAS(t, 7, 8) // fails: it is 0
}

//go:noinline
func (h *host) write(t *machine.Thread) {
	t.Enter(secUserspace)
	defer t.Leave()
	h.hostLock.Lock(t) // under none of the four
	h.hostLock.Unlock(t)
	t.Work(100 * time.Microsecond)
	h.RunQueue(t)
	h.DeviceUnbusy(t)
}

// Spinning of the fixture, in microseconds for one turn of the path.
var fixtureSpin = map[string]time.Duration{
	"host_lock@" + results.RunQueue:     8 * time.Microsecond,
	"host_lock@" + results.RequestFn:    7 * time.Microsecond,
	"host_lock@queuecommand":            6 * time.Microsecond,
	"host_lock@" + results.DeviceUnbusy: 5 * time.Microsecond,
	"host_lock@fs_write":                4 * time.Microsecond,
	"queue_lock@" + results.RequestFn:   2 * time.Microsecond,
}

// One turn of the path, in microseconds: 100 + 10 + 1 + 30 of work, 30 spinning on
// host_lock, 2 on queue_lock, 3 waiting for a line, 2 on the way of it, 1 for
// a retry, 2 switching.
const (
	fixtureMicros = 181.0
	fixtureBusy   = 181 * time.Microsecond
)

// fixture is an account of known shares, the same turn of the path on every
// core.
func fixture(cores int) *machine.Account {
	b := &bench{spin: fixtureSpin}
	m := adopter{}
	h := &host{}
	h.hostLock.Init(m, "host_lock")
	h.queueLock.Init(m, "queue_lock")
	h.ring.Init(machine.NewLine("ring_tail"), 0)
	for core := range cores {
		b.core = core
		// A coroutine's frames are trimmed as a goroutine's are.
		done := make(chan struct{})
		go func() {
			defer close(done)
			t := new(machine.Thread)
			t.Attach(b, "fixture", core, core, nil)
			h.write(t)
		}()
		<-done
		b.samples = append(b.samples,
			machine.Sample{What: machine.Switching, Core: core, Socket: core / 2, Count: 1, Time: 2 * time.Microsecond},
			machine.Sample{What: machine.Idle, Core: core, Socket: core / 2, Count: 1, Time: 20 * time.Microsecond})
	}
	return &machine.Account{Cores: cores, Window: fixtureBusy + 20*time.Microsecond, Samples: b.samples}
}

var fixtureInfo = Info{
	Identity: results.Identity{
		Name: "chen-2010", Strategy: "fixture", Driver: "null", Workload: "one turn",
		Machine: "sim", Cores: 4, Threads: 4, Seed: 7,
	},
	Notes: []string{"made by hand"},
}

// share gives the share of that name, zero where there is none.
func share(shares []Share, name string) Share {
	for _, s := range shares {
		if s.Name == name {
			return s
		}
	}
	return Share{Name: name}
}

// setLabels labels the calling goroutine.
func setLabels(l *Labels, section, lock string) { pprof.SetGoroutineLabels(l.Context(section, lock)) }
