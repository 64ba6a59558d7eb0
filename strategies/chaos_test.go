package strategies_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"hostlock/machine"
)

// chaos is a machine without time whose next step is drawn at random: every
// operation is a scheduling point, a device may finish at any moment, and the
// unplug timer fires only when nothing else can happen. It finds what an
// ordinary schedule hides: lost wake-ups, broken limits, handlers that wait for
// the thread they interrupted. A seed replays its schedule.
type chaos struct {
	machine.Base
	cores []*chaosCore
	rng   *rand.Rand
	seed  uint64
	stay  float64 // probability that the last proc goes on

	procs  []*chaosProc
	timers []*machine.Timer // armed
	locked map[*machine.SpinLock]bool
	alive  int
	steps  int
	ops    [6]int // by kind: line operations, locks, unlocks, relaxes, works, other
	slow   int    // unplug timers that had to fire
	crash  any
	last   *chaosProc
	device *chaosProc
}

type chaosCore struct {
	thread  *chaosProc // that was interrupted, if handlers is not empty
	running []*chaosProc
	pending [3][]func(*machine.Thread) // by machine.Level
	raised  map[*machine.IRQ]bool
}

type chaosProc struct {
	machine.Thread
	m        *chaos
	core     int
	level    machine.Level // Device stands for a thread
	irqOff   bool
	relaxing bool
	done     bool
	daemon   bool
	name     string
	ready    func() bool // nil: can go on
	what     string
	next     func() (struct{}, bool)
	stop     func()
	yield    func(struct{}) bool
}

type chaosStop struct{}

func newChaos(seed uint64, cores int) *chaos {
	m := &chaos{rng: machine.Rand(seed, "chaos"), seed: seed, locked: map[*machine.SpinLock]bool{}}
	m.stay = []float64{0, 0.5, 0.9, 0.97}[m.rng.IntN(4)]
	for range cores {
		m.cores = append(m.cores, &chaosCore{raised: map[*machine.IRQ]bool{}})
	}
	m.device = &chaosProc{m: m, name: "device"}
	m.device.Attach(m.device, "device", -1, 0, machine.Rand(seed, "device"))
	return m
}

func (m *chaos) Name() string                 { return "chaos" }
func (m *chaos) Cores() int                   { return len(m.cores) }
func (m *chaos) Seed() uint64                 { return m.seed }
func (m *chaos) LockKind(string) machine.Kind { return machine.Ticket }
func (m *chaos) Stopping() bool               { return false }
func (m *chaos) Stop()                        {}

func (m *chaos) Go(name string, core int, daemon bool, fn func(*machine.Thread)) {
	m.spawn(name, core, daemon, machine.Device, fn)
	if !daemon {
		m.alive++
	}
}

func (m *chaos) spawn(name string, core int, daemon bool, level machine.Level, fn func(*machine.Thread)) *chaosProc {
	p := &chaosProc{m: m, core: core, daemon: daemon, level: level, name: name, irqOff: level == machine.Hard}
	p.Attach(p, name, len(m.procs), core, machine.Rand(m.seed, name+fmt.Sprint(len(m.procs))))
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.yield = yield
		defer func() {
			p.done = true
			if r := recover(); r != nil {
				if _, ok := r.(chaosStop); !ok {
					m.crash = r
				}
			}
		}()
		fn(&p.Thread)
	})
	m.procs = append(m.procs, p)
	return p
}

// choices are all things that can happen now: what runs, else what waits for
// another in a loop of its own, else the unplug timers.
func (m *chaos) choices() []func() {
	var steps, calm, late []func()
	for _, p := range m.procs {
		if p.done || p.level != machine.Device {
			continue
		}
		c := m.cores[p.core]
		if len(c.running) > 0 || c.thread != nil && c.thread != p {
			continue
		}
		if p.ready == nil || p.ready() {
			add := func() { m.step(p) }
			if p.relaxing {
				calm = append(calm, add)
			} else {
				steps = append(steps, add)
			}
		}
	}
	for _, c := range m.cores {
		off := c.thread != nil
		top := machine.Device
		if n := len(c.running); n > 0 {
			p := c.running[n-1]
			off, top = p.irqOff, p.level
			if p.ready == nil || p.ready() {
				if p.relaxing {
					calm = append(calm, func() { m.step(p) })
				} else {
					steps = append(steps, func() { m.step(p) })
				}
			}
		}
		if off {
			continue
		}
		if len(c.pending[machine.Hard]) > 0 && top != machine.Hard {
			steps = append(steps, func() { m.interrupt(c, machine.Hard) })
		}
		if len(c.pending[machine.Soft]) > 0 && top == machine.Device {
			steps = append(steps, func() { m.interrupt(c, machine.Soft) })
		}
	}
	for i, tm := range m.timers {
		fire := func() {
			m.timers = append(m.timers[:i:i], m.timers[i+1:]...)
			if tm.Level() == machine.Device {
				tm.Func()(&m.device.Thread)
				return
			}
			m.slow++
			c := m.cores[m.rng.IntN(len(m.cores))]
			c.pending[machine.Soft] = append(c.pending[machine.Soft], tm.Func())
		}
		if tm.Level() == machine.Device {
			steps = append(steps, fire)
		} else {
			late = append(late, fire)
		}
	}
	switch {
	case len(steps) > 0:
		return steps
	case len(calm) > 0:
		return calm
	}
	return late
}

func (m *chaos) interrupt(c *chaosCore, level machine.Level) {
	fn := c.pending[level][0]
	c.pending[level] = c.pending[level][1:]
	core := 0
	for i := range m.cores {
		if m.cores[i] == c {
			core = i
		}
	}
	p := m.spawn("handler", core, true, level, fn)
	c.running = append(c.running, p)
	m.step(p)
}

func (m *chaos) step(p *chaosProc) {
	m.last = p
	p.relaxing, p.ready = false, nil
	p.next()
	c := m.cores[p.core]
	if p.level != machine.Device {
		if p.done {
			c.running = c.running[:len(c.running)-1]
			for i, q := range m.procs {
				if q == p {
					m.procs = append(m.procs[:i:i], m.procs[i+1:]...)
					break
				}
			}
		}
		return
	}
	// A thread with interrupts off keeps its core.
	c.thread = nil
	if p.irqOff && !p.done {
		c.thread = p
	}
	if p.done && !p.daemon {
		m.alive--
	}
}

func (m *chaos) Run(context.Context, machine.Course) (*machine.Account, error) {
	defer func() {
		for _, p := range m.procs {
			p.stop()
		}
	}()
	for m.alive > 0 {
		m.steps++
		if m.steps > 3_000_000 {
			return nil, fmt.Errorf("seed %d: no end after %d steps: %s", m.seed, m.steps, m.where())
		}
		steps := m.choices()
		if len(steps) == 0 {
			return nil, fmt.Errorf("seed %d: deadlock after %d steps: %s", m.seed, m.steps, m.where())
		}
		if p := m.last; p != nil && !p.done && !p.relaxing && p.ready == nil && m.rng.Float64() < m.stay {
			c := m.cores[p.core]
			if n := len(c.running); p.level != machine.Device && c.running[n-1] == p || p.level == machine.Device && n == 0 && (c.thread == nil || c.thread == p) {
				m.step(p)
				continue
			}
		}
		steps[m.rng.IntN(len(steps))]()
		if m.crash != nil {
			return nil, fmt.Errorf("seed %d: %v", m.seed, m.crash)
		}
	}
	return nil, nil
}

func (m *chaos) where() string {
	var out []string
	for _, p := range m.procs {
		if !p.done && !p.daemon {
			out = append(out, p.name+" at "+p.what)
		}
	}
	return strings.Join(out, ", ")
}

// pause is a scheduling point.
func (p *chaosProc) pause(kind int, what string) {
	p.m.ops[kind]++
	if p == p.m.device {
		return
	}
	p.what = what
	if !p.yield(struct{}{}) {
		panic(chaosStop{})
	}
}

func (p *chaosProc) until(kind int, what string, ready func() bool) {
	p.ready = ready
	p.pause(kind, what)
}

func (p *chaosProc) Access(l *machine.Line, _ *machine.Word, _ machine.Op) { p.pause(0, l.Class) }
func (p *chaosProc) Retry(*machine.Word)                                   {}
func (p *chaosProc) Note(*machine.Line)                                    {}
func (p *chaosProc) Relax(w *machine.Word)                                 { p.relaxing = true; p.pause(3, w.Line().Class) }
func (p *chaosProc) Lock(l *machine.SpinLock) {
	p.until(1, l.Class(), func() bool { return !p.m.locked[l] })
	p.m.locked[l] = true
}
func (p *chaosProc) TryLock(l *machine.SpinLock) bool {
	p.pause(1, l.Class())
	if p.m.locked[l] {
		return false
	}
	p.m.locked[l] = true
	return true
}
func (p *chaosProc) Unlock(l *machine.SpinLock)      { p.pause(2, l.Class()); p.m.locked[l] = false }
func (p *chaosProc) RWLock(*machine.RWMutex, bool)   { panic("not here") }
func (p *chaosProc) RWUnlock(*machine.RWMutex, bool) { panic("not here") }
func (p *chaosProc) Work(time.Duration)              { p.pause(4, "work") }
func (p *chaosProc) Sleep(time.Duration)             { p.pause(5, "sleep") }
func (p *chaosProc) Yield()                          { p.pause(5, "yield") }
func (p *chaosProc) Now() time.Duration              { return time.Duration(p.m.steps) }
func (p *chaosProc) Enter(*machine.Section)          {}
func (p *chaosProc) Leave()                          {}
func (p *chaosProc) IRQSave() bool                   { was := p.irqOff; p.irqOff = true; return was }
func (p *chaosProc) IRQRestore(was bool) {
	p.irqOff = was
	if !was {
		p.pause(5, "interrupts on")
	}
}
func (p *chaosProc) Wait(c *machine.Completion) {
	p.until(5, "a completion", func() bool { return c.Done() > 0 })
}
func (p *chaosProc) Complete(*machine.Completion) { p.pause(5, "complete") }
func (p *chaosProc) Arm(tm *machine.Timer, _ time.Duration) {
	p.Disarm(tm)
	p.m.timers = append(p.m.timers, tm)
}
func (p *chaosProc) Disarm(tm *machine.Timer) bool {
	for i, q := range p.m.timers {
		if q == tm {
			p.m.timers = append(p.m.timers[:i:i], p.m.timers[i+1:]...)
			return true
		}
	}
	return false
}
func (p *chaosProc) Raise(q *machine.IRQ, core int) {
	c := p.m.cores[core]
	if c.raised[q] {
		return
	}
	c.raised[q] = true
	c.pending[q.Level()] = append(c.pending[q.Level()], func(t *machine.Thread) {
		c.raised[q] = false
		q.Func()(t)
	})
}
