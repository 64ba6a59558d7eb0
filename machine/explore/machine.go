package explore

import (
	"hostlock/machine"
)

// Machine is a machine without time. It is made once, by New or by Run, and
// runs one schedule after another.
type Machine struct {
	machine.Base
	cfg     Config
	allowed map[Nesting]bool
	pulse   machine.Pulse
	idle    []*coro
	all     []*coro

	// Of the schedule at hand.
	seed        uint64
	sched       scheduler
	watch       watcher
	kept        any
	fresh       bool // the schedule shares its system with no other
	next        *proc
	agents      []*proc
	cores       []*core
	locks       []*lock
	rws         []*rwlock
	lines       []*line
	words       []*word
	completions []*completion
	timers      []*proc
	irqs        []*irq
	nested      map[Nesting]bool
	alive       int // threads that are not daemons and have not ended
	steps       int
	writes      int  // that changed something
	dirty       bool // something may have become possible since the last decision
	stuckAt     int  // the writes when nothing was left but Relax
	stuckRounds int
	signature   uint64
	late        bool // timers of the kernel wait until nothing else can happen
	due         bool // and nothing else can
	lateFirings int
	back        bool // everything comes back: see ComesBack
	learning    bool // which values words hold
	failure     *Failure
	unwinding   bool
	ready       []*proc // scratch

	exhaustive bool   // histories are kept
	step       []use  // that is being made
	main       *class // of what it began with
	before     before
	stirred    bool   // something became possible without anybody's doing
	threads    object // that there are any yet
	objects    int32
	swapped    *word // by swapper, if that does not turn out to have failed
	swapper    *proc
	running    *proc
	classes    map[string]*class
	tracing    bool
	trace      []Step
	places     map[stack]Step // of the trace, by the way there
	settled    int            // the step of the trace whose word is changing
	changing   *machine.Word  // nil where it is none, or its value has been read

	course   *machine.Course
	begun    bool
	stopping bool
	halted   bool // by Stop
}

// New makes a machine that, as a machine.Machine, runs one random schedule of
// its seed. Close it after use.
func New(cfg Config) *Machine {
	m := newMachine(cfg.complete())
	m.begin(m.cfg.Seed, newWalk(m.cfg.Seed))
	return m
}

func newMachine(cfg Config) *Machine {
	m := &Machine{cfg: cfg, allowed: map[Nesting]bool{}, nested: map[Nesting]bool{}, classes: map[string]*class{}}
	for _, n := range cfg.Order {
		m.allowed[n] = true
	}
	return m
}

// begin forgets the last schedule and everything before it.
func (m *Machine) begin(seed uint64, s scheduler) {
	m.unwind()
	m.kept = nil
	m.agents = m.agents[:0]
	m.locks, m.rws, m.lines, m.words = m.locks[:0], m.rws[:0], m.lines[:0], m.words[:0]
	m.completions, m.timers, m.irqs = m.completions[:0], m.timers[:0], m.irqs[:0]
	for _, c := range m.classes {
		c.named = 0
	}
	m.signature, m.objects = 0, 0
	m.threads = m.object("threads")
	m.cores = m.cores[:0]
	m.rewind(seed, s)
	m.Widen(m.cfg.Cores)
}

// Widen gives the schedule's machine as many cores as that, where it has fewer, and
// Config.Cores says how many it has otherwise. A test calls it first of all, where it
// makes a system anew. The legal most is 64, the width of what a raised interrupt is
// noted in.
func (m *Machine) Widen(cores int) {
	for i := len(m.cores); i < cores; i++ {
		c := &core{id: i, irqs: m.object("interrupts of a core"), pins: m.object("threads of a core")}
		for l := range c.queue {
			c.queue[l] = m.object("pending of a core")
		}
		c.handler[levelHard] = m.newProc(kindHard, "hardirq/"+itoa(i), c)
		c.handler[levelSoft] = m.newProc(kindSoft, "softirq/"+itoa(i), c)
		m.cores = append(m.cores, c)
	}
}

// proceed forgets the last schedule, but keeps what it left: objects, daemons,
// handlers, timers.
func (m *Machine) proceed(seed uint64, s scheduler) {
	m.rewind(seed, s)
	left := m.agents[:0]
	for _, p := range m.agents {
		if p.ended {
			continue
		}
		p.id, p.steps, p.prio = len(left), 0, 0
		p.stream.seed, p.stream.src = seed, nil
		left = append(left, p)
	}
	clear(m.agents[len(left):])
	m.agents = left
	for _, w := range m.words {
		w.touched = false
	}
	m.forgetClocks()
}

func (m *Machine) rewind(seed uint64, s scheduler) {
	m.seed, m.sched = seed, s
	m.next, m.failure, m.trace, m.changing = nil, nil, nil, nil
	clear(m.nested)
	m.alive, m.steps, m.writes, m.stuckAt, m.stuckRounds = 0, 0, 0, -1, 0
	m.dirty, m.stopping, m.halted, m.begun = true, false, false, false
	m.step, m.main, m.stirred, m.swapped = m.step[:0], nil, false, nil
	m.running = nil
	m.late, m.due, m.lateFirings, m.back = false, false, 0, false
}

// LateTimers makes the kernel's timers wait, in this schedule, until nothing
// else can happen, as if everything else took no time. A test calls it while
// it sets the schedule up.
func (m *Machine) LateTimers() { m.late = true }

// LateFirings is how often nothing else could: where a timer is a safety net,
// how often it was needed.
func (m *Machine) LateFirings() int { return m.lateFirings }

// Keep offers something to the test's next schedule, which finds it in Kept: a
// system that is expensive to make. It comes to be used only after a schedule
// that did not fail and left everything at rest.
func (m *Machine) Keep(v any) {
	if m.cfg.Reuse > 1 {
		m.kept = v
	}
}

// Kept is what the last schedule kept; nil where everything must be made anew.
// Threads that are not daemons have ended; everything else is as it was left.
func (m *Machine) Kept() any { return m.kept }

// Name, Cores, Seed and LockKind implement machine.Machine.
func (m *Machine) Name() string                 { return "explore" }
func (m *Machine) Cores() int                   { return len(m.cores) }
func (m *Machine) Seed() uint64                 { return m.seed }
func (m *Machine) LockKind(string) machine.Kind { return lockKind }

// Stopping implements machine.Machine.
func (m *Machine) Stopping() bool { return m.stopping }

// Stop implements machine.Machine: the window ends at the next decision.
func (m *Machine) Stop() { m.halted = true }

// Fresh reports whether the schedule is run again by itself, to be explained or
// replayed, on a system that no other has used.
func (m *Machine) Fresh() bool { return m.fresh }

// Learning reports whether the schedule is one of those that come before all
// others, to see what threads do that run one after another.
func (m *Machine) Learning() bool { return m.learning }

// Steps is how many scheduling points the schedule has passed so far.
func (m *Machine) Steps() int { return m.steps }

// Go implements machine.Machine.
func (m *Machine) Go(name string, on int, daemon bool, fn func(*machine.Thread)) {
	p := m.newProc(kindThread, name, m.cores[on%len(m.cores)])
	if m.running != nil {
		m.running.tells(&p.clock)
	}
	p.fn, p.daemon = fn, daemon
	if !daemon {
		m.alive++
	}
	m.dirty = true
}

// timersFire reports whether time may pass: once the threads have ended, only
// what is under way goes on.
func (m *Machine) timersFire() bool { return m.alive > 0 }

// About says whose code is explored, for the report of a thread that does not
// come back.
func (m *Machine) About(code, where string) { m.pulse.About(code, where) }

// watched has a watch end the process where a thread does not come back.
func (m *Machine) watched() (stop func()) {
	return m.pulse.Watch("hostlock/machine/explore.(*coro).run")
}

// run runs the schedule to its end.
func (m *Machine) run() {
	defer m.pulse.Runs(nil)
	for n := m.decide(nil); n != nil; n = m.next {
		m.next = nil
		n.resume()
	}
	if m.kept != nil && (m.failure != nil || !m.rests()) {
		m.kept = nil
	}
}

// rests reports whether nothing is under way.
func (m *Machine) rests() bool {
	for _, p := range m.agents {
		switch p.kind {
		case kindThread:
			if !p.ended && !(p.live && p.op.kind == opWait) {
				return false
			}
		case kindDevice:
			if p.live || p.armed {
				return false
			}
		case kindHard, kindSoft:
			if p.live || len(p.core.pending[p.level()]) > 0 {
				return false
			}
		}
	}
	return true
}

// decide says who takes the next step, after one of cur; nil where nobody can
// or the schedule is over.
func (m *Machine) decide(cur *proc) *proc {
	if m.failure != nil {
		return nil
	}
	m.publish()
	m.pulse.Beat()
	m.steps++
	if cur != nil {
		cur.steps++
	}
	if m.steps > m.cfg.MaxSteps {
		m.found(NoProgress, "the threads have not ended after "+itoa(m.cfg.MaxSteps)+" steps: "+m.waits())
		return nil
	}
	if m.course != nil {
		m.phase()
	}
	n := m.pick(cur)
	for n == nil && m.stuck() {
		n = m.pick(cur)
	}
	if m.watch != nil && n != nil {
		m.watch.decided(m, cur, n)
	}
	return n
}

func (m *Machine) pick(cur *proc) *proc {
	if m.steps > m.cfg.FairAfter {
		return m.inTurn(cur)
	}
	return m.sched.pick(m, cur)
}

// inTurn is the next after cur that can take a step.
func (m *Machine) inTurn(cur *proc) *proc {
	ready := m.possible()
	for _, p := range ready {
		if cur != nil && p.id > cur.id {
			return p
		}
	}
	if len(ready) == 0 {
		return nil
	}
	return ready[0]
}

// possible lists the agents that can take a step, in order of creation.
func (m *Machine) possible() []*proc {
	m.ready = m.ready[:0]
	for _, p := range m.agents {
		// Most agents are timers that nobody has armed.
		if (p.live || p.armed || p.kind < kindDevice) && p.enabled() {
			m.ready = append(m.ready, p)
		}
	}
	return m.ready
}

func (m *Machine) agent(id int) *proc {
	if id < 0 || id >= len(m.agents) {
		return nil
	}
	return m.agents[id]
}
