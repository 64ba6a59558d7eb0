package sim

import (
	"iter"
	"time"

	"hostlock/machine"
)

type state uint8

const (
	parked    state = iota // a handler with nothing to handle, or not started
	running                // executing, or busy until its resume event
	working                // in preemptible Work until its resume event
	preempted              // on its core, below a handler
	spinning               // waits for a spinlock, occupying its core
	ready                  // waits for a core
	blocked                // waits for something else
	finished
)

// levels of what runs on a core, above each other.
const (
	levelThread = iota
	levelSoft
	levelHard
	levelDevice // beside the cores
)

// proc is a thread of the simulated machine, and its hook.
type proc struct {
	machine.Thread
	s      *Sim
	core   *core
	level  int8
	state  state
	irqOff bool
	daemon bool
	t      int64 // the proc's own clock
	ahead  int64 // from when on the last charge counts, where that is later than it was made
	last   int32 // bucket of the last charge
	ops    uint64
	// spinlocks is how many it holds: as in the kernel, it keeps its core until then,
	// or whoever waits for one could keep it from that core for ever.
	spinlocks int
	gen       uint32
	node      *node

	workStart, workEnd, remaining int64
	spinStart                     int64
	spinClass                     int32
	spinWhat                      machine.What
	latency                       int64   // of the line that it has just been served
	with                          []*proc // siblings that are served in its turn
	joined                        bool    // it was one of them
	reads                         bool    // and only reads
	sliceStart                    int64

	fn    func(*machine.Thread)
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// why names what a blocked proc waits for, for the report of a deadlock.
	why string
}

// unwound is the private panic by which a stopped run leaves its coroutines.
type unwound struct{}

// start makes the proc's coroutine, which begins at its first resume.
func (p *proc) start() {
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.yield = yield
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(unwound); !ok {
					p.s.crash = machine.Caught(p.Name(), time.Duration(p.s.now), r)
				}
			}
			p.state = finished
		}()
		p.run()
	})
}

// run is what the proc does from beginning to end.
func (p *proc) run() {
	p.fn(&p.Thread)
	p.exit()
}

// suspend gives control back to the event loop until the proc is resumed.
func (p *proc) suspend() {
	if !p.yield(struct{}{}) {
		panic(unwound{})
	}
}

// sync lets the machine's clock come up to the proc's: everything that
// happens before then happens now.
func (p *proc) sync() {
	s := p.s
	s.pulse.Beat()
	if p.t <= s.now {
		return
	}
	if s.q.next() > p.t {
		s.now = p.t
		return
	}
	s.resumeAt(p, p.t)
	p.suspend()
}

// settle is sync for a proc that has got ahead by more than the quantum, and
// the place where interrupts that wait are taken, if they are on.
func (p *proc) settle() {
	if p.t-p.s.now > int64(p.s.cost.Quantum) {
		p.sync()
	}
	if !p.irqOff && p.core.pends(p.level) {
		p.interrupted()
	}
}

// interrupted hands the core to the handlers that wait, and comes back after.
func (p *proc) interrupted() {
	p.sync()
	if !p.core.pends(p.level) {
		return
	}
	p.state, p.remaining = preempted, 0
	p.core.cur = nil
	p.core.dispatch()
	p.suspend()
	p.state = running
}

// Access implements machine.Hook.
func (p *proc) Access(l *machine.Line, _ *machine.Word, op machine.Op) {
	p.ops++
	if p.level == levelDevice {
		return
	}
	p.access(l, op)
	p.settle()
}

// Operations implements machine.Hook.
func (p *proc) Operations() uint64 { return p.ops }

// Retry implements machine.Hook: the compare-and-swap that failed was for
// nothing, so what it cost moves from work to retrying.
func (p *proc) Retry(w *machine.Word) {
	if p.level == levelDevice {
		return
	}
	p.core.tally[p.bucketAt(machine.Working, 0)].ns -= int64(p.s.cost.RMW)
	p.charge(machine.Retrying, p.s.lineOf(w.Line()).class, int64(p.s.cost.RMW))
	p.s.turned(p, w)
}

// Relax implements machine.Hook.
func (p *proc) Relax(w *machine.Word) {
	p.spend(machine.Retrying, p.s.lineOf(w.Line()).class, int64(p.s.cost.Pause))
	p.sync()
	p.settle()
	p.sliceOver()
	p.s.turned(p, w)
}

// Note implements machine.Hook: instruments cost nothing.
func (p *proc) Note(*machine.Line) {}

// Work implements machine.Hook.
func (p *proc) Work(d time.Duration) {
	if d <= 0 || p.level == levelDevice {
		return
	}
	s := p.s
	s.spins.turns = 0
	if s.siblings > 1 && p.core.crowded() {
		// As the sibling is when the work begins: what it does later changes no
		// work that is under way.
		d = time.Duration(float64(d) * max(s.cost.SiblingWork, 1))
	}
	d = s.clocked(d)
	if p.irqOff || p.level == levelHard || int64(d) <= int64(s.cost.Quantum) {
		p.use(int64(d))
		p.settle()
		return
	}
	if p.core.pends(p.level) {
		p.interrupted()
	}
	// The work begins at the proc's own time, which may be a quantum ahead: if
	// it is preempted before then, what is charged for it is negative, and
	// makes up for what was charged ahead.
	end := p.t + int64(d)
	if s.q.next() > end {
		p.use(int64(d))
		s.now = end
		p.sliceOver()
		return
	}
	p.bucketAt(machine.Working, 0) // its stack is this one, and not that of whoever preempts
	p.workStart, p.workEnd = p.t, end
	p.state = working
	s.resumeAt(p, end)
	p.suspend()
	p.state = running
	p.work(s.now - p.workStart)
	if p.core.pends(p.level) {
		p.interrupted()
	}
	p.sliceOver()
}

// preempt stops a proc in the middle of its Work, whose remainder is kept.
func (p *proc) preempt() {
	now := p.s.now
	p.work(now - p.workStart)
	p.remaining = p.workEnd - now
	p.gen++
	p.state = preempted
}

// proceed lets a preempted proc go on with what remains.
func (p *proc) proceed() {
	now := p.s.now
	p.workStart, p.workEnd = now, now+p.remaining
	if p.remaining > 0 {
		p.state = working
		p.s.resumeAt(p, p.workEnd)
		return
	}
	p.s.resumeAt(p, now)
}

// Now implements machine.Hook.
func (p *proc) Now() time.Duration {
	return time.Duration(max(p.t, p.s.now))
}

// Enter and Leave implement machine.Hook.
func (p *proc) Enter(s *machine.Section) { p.node = p.node.child(s) }
func (p *proc) Leave()                   { p.node = p.node.parent }

// IRQSave implements machine.Hook.
func (p *proc) IRQSave() bool {
	off := p.irqOff
	p.irqOff = true
	return off
}

// IRQRestore implements machine.Hook.
func (p *proc) IRQRestore(off bool) {
	p.irqOff = off
	if !off && p.core != nil && p.core.pends(p.level) {
		p.interrupted()
	}
}
