package machine

import "go.uber.org/atomic"

// Completion is the kernel's struct completion: a count of things done that
// one thread waits for. Completions are not lost when they come before the
// wait.
type Completion struct {
	done atomic.Int64
	wake chan struct{}
	// Slot is the machine's own index of the completion, 0 before its first use.
	Slot int
}

// Init makes c ready, with nothing done.
func (c *Completion) Init() { c.wake = make(chan struct{}, 1) }

// Wait takes one completion, giving the core up until there is one. Only one
// thread waits at a time.
func (c *Completion) Wait(t *Thread) {
	if t.hook != nil {
		t.hook.Wait(c)
		if c.done.Dec() < 0 {
			panic("machine: woken with nothing completed")
		}
		return
	}
	if c.done.Load() > 0 { // only the one waiter takes any
		c.done.Dec()
		return
	}
	c.waitLive(t)
}

// Complete leaves one completion and wakes the waiter.
func (c *Completion) Complete(t *Thread) {
	if t.hook != nil {
		t.hook.Complete(c)
		c.done.Inc()
		return
	}
	c.completeLive()
}

// Done is how many completions are there to take.
func (c *Completion) Done() int { return int(c.done.Load()) }

// stopped unwinds a thread of a run that has ended; the root of the thread
// recovers it.
type stopped struct{}
