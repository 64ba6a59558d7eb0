package sim

import (
	"hostlock/machine"
)

// core runs one proc at a time. Handlers stand above threads; each level has
// at most one proc that has begun and not ended.
type core struct {
	s         *Sim
	id        int
	tally     []tally // by bucket
	holds     []holdTally
	waits     uint8 // a bit for each level at which something is pending
	socket    int
	phys      int32              // the core in which it is a hardware thread; the same number as id where each has one
	beside    []*core            // the other threads of that core
	cur       *proc              // what runs now; nil while idle or in the middle of dispatch
	at        [levelDevice]*proc // begun and not ended, by level
	handler   [levelDevice]*proc // the core's own handler procs, made at first use
	pending   [levelDevice]fifo[cause]
	runq      fifo[*proc]
	next      *proc // runs before those in runq: Go's runnext
	searches  bool  // looks for a goroutine, or is woken to
	patient   bool  // and has waited for another's next one
	idleSince int64 // -1 while busy
	idleUntil int64 // end of the last idle stretch, which may lie a little ahead
	idle      int64
}

// bit is the core's socket in a set of sockets. From 64 sockets on two may share
// a bit, which makes what is far near.
func (c *core) bit() uint64 { return 1 << (c.socket & 63) }

// crowded reports whether another thread of the same core is busy.
func (c *core) crowded() bool {
	for _, o := range c.beside {
		if o.idleSince < 0 {
			return true
		}
	}
	return false
}

// cause is why a handler runs: an interrupt or a timer.
type cause struct {
	irq   *machine.IRQ
	timer *machine.Timer
}

// pends reports whether a handler waits that may preempt a proc of this level.
func (c *core) pends(level int8) bool {
	return c.waits>>(level+1) != 0
}

func (c *core) pend(level int8, why cause) {
	c.pending[level].push(why)
	c.waits |= 1 << level
}

// serve takes what has been pending longest at a level.
func (c *core) serve(level int8) cause {
	why := c.pending[level].pop()
	if c.pending[level].len() == 0 {
		c.waits &^= 1 << level
	}
	return why
}

// arrive makes a handler pending and begins it where that is possible now.
func (c *core) arrive(level int8, why cause) {
	c.pend(level, why)
	p := c.cur
	if p == nil {
		if c.idleSince >= 0 {
			c.dispatch()
		}
		return
	}
	if p.state == working && p.level < level {
		p.preempt()
		c.cur = nil
		c.dispatch()
	}
}

// dispatch decides what a core does that has just become free of its current
// proc: the highest level first, what was preempted before what is new.
func (c *core) dispatch() {
	switch {
	case c.pending[levelHard].len() > 0 && c.at[levelHard] == nil:
		c.begin(levelHard)
	case c.at[levelSoft] != nil:
		c.proceed(c.at[levelSoft])
	case c.pending[levelSoft].len() > 0:
		c.begin(levelSoft)
	case c.at[levelThread] != nil:
		c.proceed(c.at[levelThread])
	case c.next != nil:
		c.s.queued--
		p := c.next
		c.next = nil
		c.run(p, c.s.now)
	case c.runq.len() > 0:
		c.s.runnable(-1)
		c.run(c.runq.pop(), c.s.now)
	default:
		if c.s.cfg.Placement == GoRuntime {
			c.goIdle()
			return
		}
		if p := c.s.steal(c); p != nil {
			c.run(p, c.s.now)
			return
		}
		c.cur = nil
		if c.idleSince < 0 {
			c.idleSince = c.s.now
			c.s.idleCores[c.id>>6] |= 1 << (c.id & 63)
		}
	}
}

func (c *core) proceed(p *proc) {
	c.cur = p
	p.proceed()
}

// busy ends an idle stretch at a time that may lie a little ahead.
func (c *core) busy(at int64) {
	if c.idleSince >= 0 {
		if d := at - c.idleSince; d > 0 {
			c.idle += d
			c.idleUntil = at
		}
		c.idleSince = -1
		c.s.idleCores[c.id>>6] &^= 1 << (c.id & 63)
	}
}

// run puts a thread on the core, from a time on.
func (c *core) run(p *proc, at int64) {
	c.busy(at)
	c.cur, c.at[levelThread] = p, p
	p.core = c
	p.SetCore(c.id)
	p.state = running
	cost := int64(c.s.cost.Switch)
	p.sliceStart = at + cost
	p.charge(machine.Switching, 0, cost)
	p.t, p.ahead = at+cost, at
	c.s.resumeAt(p, at+cost)
}

// begin starts the handler proc of a level.
func (c *core) begin(level int8) {
	now := c.s.now
	c.busy(now)
	p := c.handler[level]
	if p == nil {
		p = c.s.newHandler(c, level)
		c.handler[level] = p
	}
	c.cur, c.at[level] = p, p
	p.state = running
	p.irqOff = level == levelHard
	cost := int64(c.s.cost.IRQEntry)
	p.node = c.s.levels[level]
	p.charge(machine.Switching, 0, cost)
	p.t, p.ahead = now+cost, now
	c.s.resumeAt(p, now+cost)
}

var levelNames = [...]string{"thread", "softirq", "hardirq", "device"}

// handle is the body of a handler proc: it serves what is pending at its
// level, leaves, and waits to be begun again.
func (p *proc) handle() {
	c := p.core
	for {
		for c.pending[p.level].len() > 0 {
			why := c.serve(p.level)
			if why.irq != nil {
				ir := &p.s.irqs[why.irq.Slot]
				ir.pending[c.id] = false
				p.node = ir.root
				why.irq.Func()(&p.Thread)
			} else {
				p.node = p.s.timers[why.timer.Slot].root
				why.timer.Func()(&p.Thread)
			}
		}
		p.node = p.s.levels[p.level]
		p.spend(machine.Switching, 0, int64(p.s.cost.IRQExit))
		p.sync()
		if c.pending[p.level].len() > 0 {
			continue
		}
		c.at[p.level] = nil
		c.cur = nil
		p.state = parked
		c.dispatch()
		p.suspend()
	}
}

// block takes a thread off its core until wake.
func (p *proc) block(why string) {
	if p.level != levelThread {
		panic("sim: a handler (" + p.Name() + ") would sleep on " + why)
	}
	if p.irqOff {
		panic("sim: thread " + p.Name() + " would sleep on " + why + " with interrupts off")
	}
	p.state, p.why = blocked, why
	p.leave()
	p.suspend()
}

// leave frees the core of its current thread. The proc has synced.
func (p *proc) leave() {
	c := p.core
	c.at[levelThread] = nil
	c.cur = nil
	c.dispatch()
}

// sliceOver gives the core to a thread that waits for it, where this one has
// had its slice.
func (p *proc) sliceOver() {
	if p.level != levelThread || p.irqOff || p.spinlocks > 0 || !p.core.wanted() || p.s.now-p.sliceStart < int64(p.s.cost.Slice) {
		return
	}
	p.yieldCore()
}

// wanted reports whether a thread waits for the core.
func (c *core) wanted() bool { return c.next != nil || c.runq.len() > 0 }

func (p *proc) yieldCore() {
	p.sync()
	p.state = ready
	p.core.runq.push(p)
	p.s.runnable(1)
	p.leave()
	p.suspend()
}

// Yield implements machine.Hook.
func (p *proc) Yield() {
	if p.level == levelThread && !p.irqOff && p.spinlocks == 0 && p.core.wanted() {
		p.yieldCore()
	}
}

// exit ends a thread.
func (p *proc) exit() {
	p.sync()
	p.state = finished
	if !p.daemon {
		p.s.alive--
	}
	p.leave()
}
