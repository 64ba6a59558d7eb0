package explore

import (
	"math/rand/v2"
	"strings"

	"hostlock/machine"
)

type kind uint8

const (
	kindSoft   kind = iota // a core's softirq
	kindHard               // a core's hardware interrupt
	kindThread             // of the test
	kindDevice             // a timer of the hardware: fires, and runs beside the cores
	kindTimer              // a timer of the kernel: fires, and makes a softirq pending
)

// proc is an agent: something that can take the next step. It is the hook of
// its thread, too.
type proc struct {
	machine.Thread
	m      *Machine
	id     int // in order of creation, the same in equal schedules
	name   string
	kind   kind
	core   *core
	daemon bool
	live   bool // has begun and not ended
	armed  bool // a timer
	ended  bool // a thread
	irqOff bool
	held   []*lock
	op     op
	ops    uint64
	steps  int   // decisions made after a step of this agent
	prio   int64 // of PCT
	hash   uint64
	fn     func(*machine.Thread)
	tm     *machine.Timer
	co     *coro
	seen   []uint32 // by word: its version when this agent last looked
	clock  clock
	glued  bool // its next operation belongs to the step that it has just made
	stream stream
	self   object // a timer, as something that is armed and disarmed
}

// stream is a random sub-stream that is made when it is first drawn from:
// most agents never do.
type stream struct {
	seed uint64
	name string
	src  *rand.Rand
}

func (s *stream) Uint64() uint64 {
	if s.src == nil {
		s.src = machine.Rand(s.seed, s.name)
	}
	return s.src.Uint64()
}

func (m *Machine) newProc(k kind, name string, c *core) *proc {
	p := &proc{m: m, id: len(m.agents), name: name, kind: k, core: c}
	p.stream = stream{seed: m.seed, name: "thread/" + name}
	id := -1
	if c != nil {
		id = c.id
	}
	p.Attach(p, name, p.id, max(id, 0), rand.New(&p.stream))
	if m.cfg.Symmetric {
		name = strings.TrimRight(name, "0123456789")
	}
	p.setHash(start(name))
	m.agents = append(m.agents, p)
	if m.watch != nil {
		m.watch.arrived(p)
	}
	return p
}

// suspend gives control back until the agent is chosen.
func (p *proc) suspend() {
	p.co.yield(struct{}{})
	if p.m.unwinding {
		panic(unwound{})
	}
}

// resume lets the agent take its step, and comes back when another one is to.
func (p *proc) resume() {
	m := p.m
	m.running = p
	m.pulse.Runs(&p.Thread)
	if p.co != nil {
		p.co.next()
		return
	}
	m.main = nil
	switch p.kind {
	case kindThread:
		p.did(opBegin)
		p.needsCore()
	case kindDevice, kindTimer:
		p.used(opBegin, &p.self)
		p.learns(p.self.known)
		m.needs(&m.threads)
	}
	if p.kind == kindTimer {
		p.armed, m.due = false, false
		p.pend(p.core, levelSoft, cause{timer: p})
		m.next = m.decide(p)
		return
	}
	p.live = true
	c := m.coroutine()
	p.co, c.p = c, p
	c.next()
}

// main is what the agent runs from beginning to end.
func (p *proc) main() {
	switch p.kind {
	case kindThread:
		p.fn(&p.Thread)
		p.ended = true
		if !p.daemon {
			p.m.alive--
			p.m.uses(&p.m.threads, true)
		}
	case kindDevice:
		p.armed = false
		p.tm.Func()(&p.Thread)
	default:
		p.serve()
	}
	if p.irqOff && (p.kind == kindThread || p.kind == kindSoft) {
		p.fail(InterruptSafety, "%s ends with interrupts off", p.name)
	}
	if len(p.held) > 0 {
		p.fail(Ownership, "%s ends while it holds %s", p.name, p.held[0].class.name)
	}
	p.irqOff = false
	p.live = false
	p.op = op{}
	p.m.dirty = true
}

// serve runs one handler that is pending on the core. The next one begins
// after another decision.
func (p *proc) serve() {
	c, l := p.core, p.level()
	why := c.pending[l][0]
	c.pending[l] = append(c.pending[l][:0], c.pending[l][1:]...)
	c.active[l] = p
	p.irqOff = p.kind == kindHard
	p.needsCore()
	p.m.needs(&c.irqs)
	p.m.uses(&c.pins, true)
	p.follows(opBegin, &c.queue[l])
	if why.irq != nil {
		on := &why.irq.on[c.id]
		p.used(opBegin, on)
		p.learns(on.known)
		why.irq.pending &^= 1 << c.id
		why.irq.q.Func()(&p.Thread)
	} else {
		p.did(opBegin)
		p.learns(why.timer.self.known)
		why.timer.tm.Func()(&p.Thread)
	}
	c.active[l] = nil
}

func (p *proc) level() int {
	if p.kind == kindHard {
		return levelHard
	}
	return levelSoft
}

// enabled reports whether the agent can take a step now.
func (p *proc) enabled() bool {
	switch p.kind {
	case kindThread:
		if p.ended {
			return false
		}
		c := p.core
		if c.active[levelSoft] != nil || c.active[levelHard] != nil || c.pin != nil && c.pin != p {
			return false
		}
		return !p.live || p.op.ready(p)
	case kindSoft, kindHard:
		if p.live {
			return (p.kind == kindHard || p.core.active[levelHard] == nil) && p.op.ready(p)
		}
		return p.core.begins(p.level())
	case kindDevice:
		if p.live {
			return p.op.ready(p)
		}
		return p.armed && p.m.timersFire()
	default:
		return p.armed && p.m.timersFire() && (!p.m.late || p.m.due)
	}
}
