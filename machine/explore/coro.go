package explore

import (
	"iter"
	"runtime/debug"
)

// coro is a coroutine that is used again from schedule to schedule, so that
// its stack has grown once and for all.
type coro struct {
	p     *proc
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// unwound is the private panic by which an abandoned schedule leaves its
// coroutines.
type unwound struct{}

func newCoro() *coro {
	c := new(coro)
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.run()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// run is one use of the coroutine: from a proc's beginning to its end.
func (c *coro) run() {
	p := c.p
	m := p.m
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unwound); !ok && !m.unwinding {
				m.crashed(p, r, string(debug.Stack()))
			}
			p.live = false
			m.next = nil
		}
		p.co, c.p = nil, nil
		m.idle = append(m.idle, c)
	}()
	p.main()
	m.next = m.decide(p)
}

// coroutine takes one out of the pool.
func (m *Machine) coroutine() *coro {
	if n := len(m.idle); n > 0 {
		c := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return c
	}
	c := newCoro()
	m.all = append(m.all, c)
	return c
}

// Close ends the machine's coroutines. A machine is not used after it.
func (m *Machine) Close() {
	m.unwind()
	for _, c := range m.all {
		c.stop()
	}
	m.all, m.idle = nil, nil
}

// unwind ends what an abandoned schedule left in the middle.
func (m *Machine) unwind() {
	m.unwinding = true
	for _, p := range m.agents {
		if p.co != nil {
			p.co.next()
		}
	}
	m.unwinding = false
}
