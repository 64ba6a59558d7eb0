package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"hostlock/machine"
)

// Placement says where a woken thread goes.
type Placement uint8

const (
	// OwnCore keeps a thread on the core it last ran on, idle cores or not.
	OwnCore Placement = iota
	// IdleCore moves it to an idle core, of its own socket first, where its own
	// is busy; a core that becomes idle takes a waiting thread from another.
	IdleCore
	// GoRuntime places threads as Go's scheduler places goroutines, a processor
	// (P) a core: see goruntime.go.
	GoRuntime
)

// Config describes a simulated machine.
type Config struct {
	Cores     int // 1 or more
	Sockets   int // cores are divided among them evenly, in order; 0 means 1
	Seed      uint64
	Costs     Costs
	Placement Placement
	Go        GoCosts // where Placement is GoRuntime
	// LockKinds gives classes of spinlock an algorithm; ticket where none is given.
	LockKinds map[string]machine.Kind
}

// Sim is a machine in virtual time. It is used for one run.
type Sim struct {
	machine.Base
	cfg   Config
	cost  Costs
	pulse machine.Pulse
	q     queue
	now   int64

	cores     []*core
	siblings  int // hardware threads a core
	idleCores []uint64
	queued    int // threads in run queues

	readyFor, readySince int64 // threads x time there, up to a time

	procs    []*proc
	device   proc
	alive    int // threads that are not daemons
	stopping bool
	halted   bool // by Stop

	lines   []*line
	locks   []*lock
	rws     []*rwlock
	waiting []*proc
	timers  []timer
	void    int // entries in the queue of timers that were disarmed or armed anew
	irqs    []irq

	classIDs  map[string]int32
	names     []string
	classes   []*lockClass
	lockOrder []int32

	roots     map[string]*node
	levels    [levelDevice + 1]*node // roots of what is of no thread and no handler's function
	buckets   []bucket
	orderRand *rand.Rand // of requests at a line of which none is first by rule
	goRand    *rand.Rand

	events int64
	began  int64 // the window, once it is opened
	opened bool
	acct   *machine.Account
	crash  *machine.Panicked

	ctx         context.Context // of the run
	interrupted time.Time       // when that was first seen to be over
	left        error           // why the run ends though its threads go on
	spins       spins
	code        string // whose the threads are

	searching int // cores that look for a goroutine to run, or are woken to
}

// New makes a machine. Its error says which field is wrong and what is legal.
func New(cfg Config) (*Sim, error) {
	if cfg.Sockets == 0 {
		cfg.Sockets = 1
	}
	if cfg.Cores < 1 || cfg.Cores > 4096 {
		return nil, fmt.Errorf("cores %d; legal: 1 to 4096", cfg.Cores)
	}
	if cfg.Sockets < 1 || cfg.Sockets > cfg.Cores {
		return nil, fmt.Errorf("sockets %d; legal: 1 to the core count %d", cfg.Sockets, cfg.Cores)
	}
	for class, k := range cfg.LockKinds {
		if k == machine.Mutex {
			return nil, fmt.Errorf("lock %s of kind mutex: interrupt handlers take it and cannot sleep; the live machine has it", class)
		}
	}
	s := &Sim{
		cfg: cfg, cost: cfg.Costs,
		idleCores: make([]uint64, (cfg.Cores+63)/64),
		// slot, class and bucket 0 are "none"
		buckets: make([]bucket, 1),
		lines:   make([]*line, 1), locks: make([]*lock, 1), rws: make([]*rwlock, 1),
		waiting: make([]*proc, 1), timers: make([]timer, 1), irqs: make([]irq, 1),
		classIDs: map[string]int32{}, roots: map[string]*node{},
		orderRand: machine.Rand(cfg.Seed, "sim/order"),
		goRand:    machine.Rand(cfg.Seed, "sim/go"),
	}
	s.class("")
	for l, name := range levelNames {
		s.levels[l] = s.root(name)
		s.levels[l].hard = int8(l) == levelHard
	}
	for i := range cfg.Cores {
		s.cores = append(s.cores, &core{s: s, id: i, socket: i * cfg.Sockets / cfg.Cores, tally: make([]tally, 1), holds: make([]holdTally, 1)})
		s.idleCores[i>>6] |= 1 << (i & 63)
	}
	s.pair()
	s.device = proc{s: s, level: levelDevice, irqOff: true}
	s.device.Attach(&s.device, "device", -1, 0, machine.Rand(cfg.Seed, "device"))
	s.device.node = s.levels[levelDevice]
	return s, nil
}

// pair makes siblings of cores that are next to each other in number, within a
// socket.
func (s *Sim) pair() {
	s.siblings = max(s.cost.Siblings, 1)
	phys, at := int32(-1), 0
	for i, c := range s.cores {
		if i == 0 || i-at == s.siblings || s.cores[at].socket != c.socket {
			phys, at = phys+1, i
		}
		c.phys = phys
		for _, o := range s.cores[at:i] {
			o.beside, c.beside = append(o.beside, c), append(c.beside, o)
		}
	}
}

// Name, Cores, Seed and LockKind implement machine.Machine.
func (s *Sim) Name() string { return "sim" }
func (s *Sim) Cores() int   { return len(s.cores) }
func (s *Sim) Seed() uint64 { return s.cfg.Seed }
func (s *Sim) LockKind(class string) machine.Kind {
	if k, ok := s.cfg.LockKinds[class]; ok {
		return k
	}
	if k, ok := s.cfg.LockKinds[machine.AnyClass]; ok {
		return k
	}
	return machine.Ticket
}

// Stopping implements machine.Machine.
func (s *Sim) Stopping() bool { return s.stopping }

// Stop implements machine.Machine: the window ends before the next event.
func (s *Sim) Stop() { s.halted = true }

// About says whose code runs, for the report of a thread that does not come back.
func (s *Sim) About(code, where string) {
	s.code = code
	s.pulse.About(code, where)
}

// Events is how many events the run has processed.
func (s *Sim) Events() int64 { return s.events }

// Go implements machine.Machine.
func (s *Sim) Go(name string, on int, daemon bool, fn func(*machine.Thread)) {
	p := &proc{s: s, level: levelThread, daemon: daemon, fn: fn, state: blocked, core: s.cores[on%len(s.cores)]}
	p.Attach(p, name, len(s.procs), p.core.id, machine.Rand(s.cfg.Seed, "thread/"+name))
	p.node = s.root(strings.TrimRight(name, "0123456789-/"))
	s.procs = append(s.procs, p)
	if !daemon {
		s.alive++
	}
	p.start()
	if s.cfg.Placement == GoRuntime {
		s.goStart(p)
		return
	}
	s.wake(p, s.now, p.core)
}

func (s *Sim) newHandler(c *core, level int8) *proc {
	p := &proc{s: s, core: c, level: level, daemon: true, state: parked}
	name := fmt.Sprintf("%s-%d", levelNames[level], c.id)
	p.fn = func(*machine.Thread) { p.handle() }
	p.Attach(p, name, len(s.procs), c.id, machine.Rand(s.cfg.Seed, "thread/"+name))
	p.node = s.levels[level]
	s.procs = append(s.procs, p)
	p.start()
	return p
}

func (s *Sim) root(name string) *node {
	n := s.roots[name]
	if n == nil {
		n = &node{}
		s.roots[name] = n
	}
	return n
}

func (s *Sim) class(name string) int32 {
	id, ok := s.classIDs[name]
	if !ok {
		id = int32(len(s.names))
		s.classIDs[name] = id
		s.names = append(s.names, name)
		s.classes = append(s.classes, &lockClass{})
	}
	return id
}

// resumeAt lets p go on at a time, in place of any earlier arrangement.
func (s *Sim) resumeAt(p *proc, at int64) {
	p.gen++
	s.q.push(event{at: at, id: int32(p.ID()), gen: p.gen}, evResume)
}

// wake makes a blocked thread runnable, at a time that may lie a little ahead.
func (s *Sim) wake(p *proc, at int64, from *core) {
	if p.state != blocked {
		panic("sim: " + p.Name() + " woken while it does not wait")
	}
	if s.cfg.Placement == GoRuntime {
		s.goReady(p, at, from, from.cur)
		return
	}
	c := s.place(p.core)
	if c.cur == nil && c.idleSince >= 0 {
		if from != c {
			at += int64(s.cost.IPI)
		}
		c.run(p, at)
		return
	}
	p.state = ready
	c.runq.push(p)
	s.runnable(1)
}

// runnable counts threads into run queues, or out of them, and how long they waited.
func (s *Sim) runnable(more int) {
	s.readyFor += int64(s.queued) * (s.now - s.readySince)
	s.readySince = s.now
	s.queued += more
}

// interruptEvery is after how many events a run looks whether it is still
// wanted: some milliseconds of real time.
const interruptEvery = 1 << 13

// Run implements machine.Machine. It returns an account also with an error,
// where the window had begun.
func (s *Sim) Run(ctx context.Context, course machine.Course) (*machine.Account, error) {
	s.ctx = ctx
	defer s.unwind()
	defer s.pulse.Watch("hostlock/machine/sim.(*proc).run")()
	begin, end := int64(course.Warmup), int64(course.Warmup+course.Duration)
	marks := []int64{begin, end}
	const steps = 50 // progress reports over a run
	for i := int64(1); i < steps; i++ {
		marks = append(marks, end*i/steps)
	}
	for i, at := range marks {
		s.q.push(event{at: at, id: int32(i)}, evPhase)
	}
	drain := course.Drain
	if drain == 0 {
		drain = 30 * time.Second
	}
	var phaseErr error
	phase := func(id int32) {
		switch id {
		case 0:
			s.beginWindow()
			if course.Begin != nil {
				course.Begin()
			}
		case 1:
			s.endWindow()
			if course.End != nil {
				course.End()
			}
			s.stopping = true
		default:
			if course.Progress != nil {
				course.Progress(float64(s.now) / float64(end))
			}
		}
	}
	// cut ends the window early.
	cut := func(why error) {
		phaseErr = why
		s.pulse.Runs(nil)
		if s.now <= begin {
			s.beginWindow()
		}
		s.endWindow()
		if course.End != nil {
			course.End()
		}
		s.acct.Cut = true
		s.stopping = true
	}
	for s.alive > 0 {
		if s.q.empty() {
			return s.acct, s.deadlock()
		}
		ev := s.q.pop()
		s.now = ev.at
		if s.stopping && s.now > s.drainStart()+int64(drain) {
			return s.acct, fmt.Errorf("%d threads had not finished %v after the end: %s", s.alive, drain, s.waits())
		}
		s.events++
		if s.events%interruptEvery == 0 && ctx.Err() != nil {
			switch {
			case s.acct == nil:
				cut(ctx.Err())
			case s.unwanted():
				s.left = context.Cause(ctx)
			}
		}
		s.handle(ev, phase)
		if s.crash != nil {
			return s.acct, s.crash
		}
		if s.left != nil {
			if s.acct == nil {
				cut(s.left)
			}
			s.acct.Undrained = true
			return s.acct, s.left
		}
		if s.halted && s.acct == nil {
			cut(nil)
		}
	}
	if s.acct == nil {
		return nil, errors.New("all threads ended before the measured window did")
	}
	return s.acct, phaseErr
}

func (s *Sim) handle(ev event, phase func(int32)) {
	switch ev.key & (1<<kindBits - 1) {
	case evResume:
		p := s.procs[ev.id]
		if ev.gen != p.gen {
			return
		}
		p.t, p.ahead = s.now, 0
		s.pulse.Runs(&p.Thread)
		p.next()
	case evWake:
		p := s.procs[ev.id]
		if s.cfg.Placement == GoRuntime {
			s.goReady(p, s.now, p.core, nil)
			return
		}
		s.wake(p, s.now, p.core)
	case evTimer:
		if t := &s.timers[ev.id]; t.armed && t.gen == ev.gen {
			s.fire(int(ev.id))
		} else {
			s.void--
		}
	case evSearch:
		s.cores[ev.id].search()
	case evIRQ:
		s.arriveIRQ(int(ev.id), int(ev.gen))
	case evPhase:
		if ev.id == 1 && s.acct != nil {
			return // the window was cut short
		}
		if ev.id == 0 && s.opened {
			return
		}
		s.pulse.Runs(nil) // a caller's function
		phase(ev.id)
	}
}

func (s *Sim) drainStart() int64 { return s.began + int64(s.acct.Window) }

// unwind ends every coroutine that is still suspended, so that nothing leaks.
func (s *Sim) unwind() {
	for _, p := range s.procs {
		if p.stop != nil {
			p.stop()
		}
	}
}

func (s *Sim) deadlock() error {
	return fmt.Errorf("deadlock at %v: nothing left to happen, %d threads unfinished: %s", time.Duration(s.now), s.alive, s.waits())
}

func (s *Sim) waits() string {
	var out []string
	const enough = 8
	for _, p := range s.procs {
		if p.daemon || p.state == finished {
			continue
		}
		if len(out) == enough {
			out = append(out, "…")
			break
		}
		why := p.why
		if p.state == spinning {
			why = s.names[p.spinClass]
		}
		out = append(out, p.Name()+" waits for "+why)
	}
	return strings.Join(out, ", ")
}
