package sim

import (
	"math/bits"
	"time"

	"hostlock/machine"
	"hostlock/machine/param"
)

// GoCosts is what Go's scheduler takes where threads are goroutines (Placement
// GoRuntime), beside Costs.Switch for one goroutine after another on a processor.
type GoCosts struct {
	WakeCall  time.Duration // what waking an idle processor takes of the one who does it
	Wake      time.Duration // from then until the idle one looks for work
	Search    time.Duration // how long a processor without work looks for some before it sleeps
	StealNext time.Duration // how long a thief lets a running processor's next goroutine lie
}

// GoParams declares the table of GoCosts.
func GoParams() []param.Spec {
	d := func(name, def string, about, source string) param.Spec {
		return param.Spec{Name: "go." + name, Default: def, Max: float64(time.Millisecond), About: about, Source: source}
	}
	return []param.Spec{
		d("switch", "180ns", "from one goroutine to the next on a processor", "measured: half a round trip over an unbuffered channel on one processor, 2-core VM, Go 1.26"),
		d("wake_call", "1.5us", "what waking an idle processor takes of the one who does it", "order of magnitude of a futex wake call; calibrate measures it"),
		d("wake", "5us", "until the idle processor looks for work", "order of magnitude of a futex wait's way back to the processor; calibrate measures it"),
		d("search", "1us", "how long a processor without work looks for some before it sleeps", "four rounds over the other processors' queues, some ten loads each"),
		d("steal_next", "53us", "how long a thief lets a running processor's next goroutine lie", "the runtime sleeps 3 us before it takes that one; Linux adds its timer slack of 50 us"),
	}
}

// GoCostsFrom reads a declared table.
func GoCostsFrom(s *param.Set) GoCosts {
	g := func(n string) time.Duration { return s.Duration("go." + n) }
	return GoCosts{WakeCall: g("wake_call"), Wake: g("wake"), Search: g("search"), StealNext: g("steal_next")}
}

// GoSlice is how long a goroutine keeps a processor that others wait for, as
// the runtime's monitor allows.
const GoSlice = 10 * time.Millisecond

// goReady makes a goroutine run next on the core of whoever woke it, whose
// earlier next one goes to the end of the core's queue; and has an idle core look
// for work, unless one does. A timer's waker is nil.
func (s *Sim) goReady(p *proc, at int64, from *core, waker *proc) {
	if from.cur == nil && from.idleSince >= 0 && !from.searches {
		from.run(p, at) // a timer's, on a processor that sleeps
		return
	}
	p.state = ready
	s.queued++
	if old := from.next; old != nil {
		from.runq.push(old)
	}
	from.next = p
	s.goWake(from, waker, at)
}

// goStart puts a new goroutine where it was said to begin, so that a run begins
// with its processors busy.
func (s *Sim) goStart(p *proc) {
	if c := p.core; c.cur == nil && c.idleSince >= 0 && !c.searches {
		c.run(p, s.now)
		return
	}
	p.state = ready
	s.queued++
	p.core.runq.push(p)
}

// goWake has an idle core look for work where none does already.
func (s *Sim) goWake(from *core, waker *proc, at int64) {
	if s.searching > 0 {
		return
	}
	i := s.idleNear(from.id)
	if i < 0 {
		return
	}
	if waker != nil {
		waker.spend(machine.Switching, 0, int64(s.cfg.Go.WakeCall))
	}
	s.goSearch(s.cores[i], at+int64(s.cfg.Go.Wake))
}

func (s *Sim) goSearch(c *core, at int64) {
	s.searching++
	c.searches, c.patient = true, false
	s.idleCores[c.id>>6] &^= 1 << (c.id & 63)
	s.q.push(event{at: max(at, s.now), id: int32(c.id)}, evSearch)
}

// goIdle is what a core does that has nothing of its own to run: it takes half of
// another's queue, or looks for a while, unless half of the busy cores' number do.
func (c *core) goIdle() {
	s := c.s
	c.cur = nil
	if p := s.goSteal(c); p != nil {
		c.run(p, s.now)
		return
	}
	if c.idleSince < 0 {
		c.idleSince = s.now
	}
	s.idleCores[c.id>>6] |= 1 << (c.id & 63)
	if 2*s.searching < len(s.cores)-s.idleCount() {
		s.goSearch(c, s.now+int64(s.cfg.Go.Search))
	}
}

func (s *Sim) idleCount() int {
	n := 0
	for _, w := range s.idleCores {
		n += bits.OnesCount64(w)
	}
	return n
}

// search is the end of a core's search: it runs what it finds, waits once for
// another's next goroutine, and sleeps where there is nothing.
func (c *core) search() {
	s := c.s
	if !c.searches {
		return
	}
	if c.cur != nil || c.idleSince < 0 { // an interrupt came in between
		c.searches = false
		s.searching--
		return
	}
	if c.wanted() {
		c.searches = false
		s.searching--
		c.dispatch()
		return
	}
	p := s.goSteal(c)
	if p == nil && c.patient {
		p = s.goStealNext(c)
	}
	if p != nil {
		c.searches = false
		s.searching--
		// Whoever finds something has another look for more.
		if s.queued > 0 {
			s.goWake(c, nil, s.now)
		}
		c.run(p, s.now)
		return
	}
	if !c.patient && s.goNext(c) >= 0 {
		c.patient = true
		s.q.push(event{at: s.now + int64(s.cfg.Go.StealNext), id: int32(c.id)}, evSearch)
		return
	}
	c.searches = false
	s.searching--
	s.idleCores[c.id>>6] |= 1 << (c.id & 63)
}

// goSteal takes half of the first queue that has any, the thief's to run and to
// keep.
func (s *Sim) goSteal(c *core) *proc {
	if s.queued == 0 {
		return nil
	}
	n := len(s.cores)
	first := s.goRand.IntN(n)
	for i := range n {
		o := s.cores[(first+i)%n]
		k := o.runq.len()
		if o == c || k == 0 {
			continue
		}
		s.queued--
		p := o.runq.pop()
		for range (k - 1) / 2 {
			c.runq.push(o.runq.pop())
		}
		return p
	}
	return nil
}

// goNext is a core, other than c, that has a goroutine to run next; -1 is none.
func (s *Sim) goNext(c *core) int {
	if s.queued == 0 {
		return -1
	}
	for i, o := range s.cores {
		if o != c && o.next != nil {
			return i
		}
	}
	return -1
}

func (s *Sim) goStealNext(c *core) *proc {
	i := s.goNext(c)
	if i < 0 {
		return nil
	}
	o := s.cores[i]
	p := o.next
	o.next = nil
	s.queued--
	return p
}

// CanSpin implements machine.Hook by the runtime's rule: more than one core, a
// busy one beside this, and nothing that waits for this one.
func (p *proc) CanSpin() bool {
	s, c := p.s, p.core
	return p.level == levelThread && c.runq.len() == 0 && c.next == nil && s.busyBeside(c)
}

func (s *Sim) busyBeside(c *core) bool {
	for _, o := range s.cores {
		if o != c && o.cur != nil {
			return true
		}
	}
	return false
}
