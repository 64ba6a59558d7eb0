package foreign

import (
	"sync"
	"sync/atomic"
	"time"

	uber "go.uber.org/atomic"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies"
	"hostlock/vet/testdata/helper"
)

type limit struct {
	mu    sync.Mutex
	slots chan struct{}
	std   atomic.Int64
	uber  uber.Int64
	plain int64
	once  sync.Once
	done  atomic.Int64 //lab:free a counter that no host has
	_     sync.WaitGroup
}

func newLimit(n int) *limit { // before the run anything goes
	l := &limit{slots: make(chan struct{}, n)}
	l.mu.Lock()
	defer l.mu.Unlock()
	for range n {
		l.slots <- struct{}{}
	}
	return l
}

func (l *limit) Take(t *machine.Thread) bool {
	l.mu.Lock() // want `limit.Take: sync.Mutex.Lock is seen by no machine; use machine.SpinLock`
	defer l.mu.Unlock()
	l.done.Add(1)
	return l.below()
}

// below is reached by Take.
func (l *limit) below() bool {
	select { // want `limit.Take: a select of channels .* use machine.Completion`
	case <-l.slots: // want `a receive from a channel`
		return true
	default:
		return false
	}
}

func (l *limit) Give(t *machine.Thread) {
	l.slots <- struct{}{} // want `limit.Give: a send to a channel`
	go func() {           // want `limit.Give: a goroutine .* Machine.Go`
		l.std.Add(1) // want `atomic.Int64.Add is seen by no machine; use machine.Word`
	}()
	for range l.slots { // want `a receive from a channel`
	}
	close(l.slots) // want `close of a channel`
}

func (l *limit) Full(t *machine.Thread) bool {
	l.once.Do(func() {}) // want `sync.Once.Do .* the constructor`
	//lab:free on the line before
	if l.std.Load() > 0 {
		return true
	}
	return l.uber.Load() > 0 // want `limit.Full: atomic.Int64.Load is seen by no machine; use machine.Word`
}

func (l *limit) Alone(t *machine.Thread) bool {
	helper.Locked(func() {})                                    // want `limit.Alone: helper.Locked uses sync.Mutex.Lock \(helper.go:15\)`
	return atomic.LoadInt64(&l.plain) == int64(helper.Twice(1)) // want `atomic.LoadInt64`
}

// Taken is an instrument.
//
//lab:free as it says
func (l *limit) Taken(t *machine.Thread) int { return int(l.std.Load()) }

// of is not a strategy's: nothing is said of it.
type other struct{ mu sync.Mutex }

func (o *other) Take(t *machine.Thread) bool { // want Take:"uses sync.Mutex.Lock"
	o.mu.Lock()
	defer o.mu.Unlock()
	return true
}

// embedding has its lock by way of a field without a name.
type embedding struct {
	dispatch.Strategy
	sync.Mutex
}

func (e *embedding) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	e.Lock() // want `embedding.Unblock: sync.Mutex.Lock`
	defer e.Unlock()
	e.Strategy.Unblock(t, cmd)
}

// made of functions: they are a type's where it is spoken of.
type made struct {
	take func(t *machine.Thread) bool
	mu   sync.RWMutex
	limit
}

func (m *made) Take(t *machine.Thread) bool { return m.take(t) }

func newMade() *made {
	m := &made{}
	m.take = func(t *machine.Thread) bool {
		m.mu.RLock() // want `made, function at foreign.go:\d+: sync.RWMutex.RLock`
		defer m.mu.RUnlock()
		return true
	}
	return m
}

type driver struct{ seen atomic.Bool }

func (d *driver) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	d.seen.Store(true) // want `driver.QueueCommand: atomic.Bool.Store`
	return dispatch.Accepted
}

// Expire is a method that a driver may have.
func (d *driver) Expire(t *machine.Thread, cmd *dispatch.Command) {
	d.seen.Load() // want `driver.Expire: atomic.Bool.Load`
}

// Counts is asked after the run.
func (d *driver) Counts() bool { return d.seen.Load() } // want Counts:"uses atomic.Bool.Load"

var (
	_ strategies.Limit = newLimit(1)
	_                  = time.Second
)
