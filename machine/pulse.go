package machine

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// patience is how many looks of a watch, lookEvery apart, find no step before the
// code under study is taken to have gone. Looks are counted, and not the clock,
// since a computer that was suspended, or a process that was stopped, has looked
// as seldom as it has made steps.
const (
	patience  = 10
	lookEvery = time.Second
)

// Pulse is how a machine that runs one thread at a time shows a watch that its
// threads come back to it. One that does not, since it waits for another by
// means that the machine does not see, stops the machine for good, and nothing
// within can tell.
type Pulse struct {
	asked atomic.Bool // the watch has looked, and no step has been made since
	who   *Thread     // plain, since it is set at every switch: see last
	about atomic.Pointer[about]
}

// about is what a report says of the code that runs.
type about struct{ code, where string }

// About says whose code the threads run, as in "strategy ring", and where, which
// may be empty.
func (p *Pulse) About(code, where string) { p.about.Store(&about{code, where}) }

// Beat is a step.
func (p *Pulse) Beat() {
	if p.asked.Load() {
		p.asked.Store(false)
	}
}

// Runs is a step, and says whose code runs from here on; nil is the machine's
// or its caller's own, which may take any time.
func (p *Pulse) Runs(t *Thread) {
	p.who = t
	p.Beat()
}

// last is whose code ran last. It is read beside the machine without an order
// between the two, and so may be a little old; but a word is read as it was
// written once, and before it counts nobody has written for ten looks.
//
//go:norace
func (p *Pulse) last() *Thread { return p.who }

// Watch ends the process, with a report on stderr and status 1, once a thread has
// not come back for ten seconds. within is the function that all threads run
// under, as a stack names it. The watch ends with a call of stop.
func (p *Pulse) Watch(within string) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(lookEvery)
	go func() {
		defer close(ended)
		defer tick.Stop()
		if h := p.watch(tick.C, over); h != nil {
			h.Stack = stacksWithin(within)
			fmt.Fprint(os.Stderr, h)
			os.Exit(1)
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}

// watch looks at each tick until it is over, which is nil, or a thread has gone.
func (p *Pulse) watch(tick <-chan time.Time, over <-chan struct{}) *Hang {
	quiet := 0
	var t *Thread
	for quiet < patience {
		select {
		case <-over:
			return nil
		case <-tick:
		}
		quiet++
		asked := p.asked.Swap(true)
		if t = p.last(); !asked || t == nil {
			quiet = 0
		}
	}
	h := &Hang{Thread: t.Name(), For: patience * lookEvery, Code: "the code under study"}
	if a := p.about.Load(); a != nil {
		h.Code, h.Where = a.code, a.where
	}
	return h
}

// About tells a machine that keeps a Pulse whose code it runs.
func About(m Machine, code, where string) {
	if p, ok := m.(interface{ About(code, where string) }); ok {
		p.About(code, where)
	}
}
