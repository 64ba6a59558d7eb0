package designs

import (
	"fmt"
	"time"

	"hostlock/machine"
)

var ownerInfo = Info{
	Name: "owner", About: "one thread owns the data; others put requests into its queue, and sleep until it answers",
	Gives: "the owner takes a core; each request costs two wake-ups", Kinds: true,
	New: newOwner,
}

// owner is a thread with a queue, guarded by one lock.
type owner struct {
	Base
	data     *Data
	lock     *guarded // of the queue; its data are the queue's own line
	queue    []*request
	asleep   bool // under lock
	work     machine.Completion
	requests []request // by thread
}

type request struct {
	key    int
	write  bool
	hold   time.Duration
	value  uint64
	answer machine.Completion
	_      [64]byte
}

func newOwner(e Env) Design {
	held := e.Held
	e.Held = nil // the lock of the queue is not the section's
	d := &owner{data: NewData(e.Keys, e.Lines), lock: newGuarded(&e, 0, 1), requests: make([]request, e.Threads), asleep: true}
	d.lock.data = NewData(1, 1)
	d.work.Init()
	for i := range d.requests {
		d.requests[i].answer.Init()
	}
	e.Held = held
	e.Machine.Go(fmt.Sprint("owner/", 0), e.Cores-1, true, func(t *machine.Thread) { d.serve(t, held) })
	return d
}

func (d *owner) serve(t *machine.Thread, held func(int, bool, time.Duration, time.Duration)) {
	for {
		d.work.Wait(t)
		for {
			r := d.next(t)
			if r == nil {
				break
			}
			from := t.Now()
			if r.write {
				d.data.Add(t, r.key, 1, r.hold)
			} else {
				r.value = d.data.Get(t, r.key, r.hold)
			}
			if held != nil {
				held(0, false, from, t.Now())
			}
			r.answer.Complete(t)
		}
	}
}

// next takes the oldest request; with none left the owner will sleep.
func (d *owner) next(t *machine.Thread) (r *request) {
	d.lock.lock.Lock(t)
	t.Touch(d.lock.data.lines[0])
	if len(d.queue) > 0 {
		r = d.queue[0]
		d.queue = d.queue[1:]
	} else {
		d.asleep = true
	}
	d.lock.lock.Unlock(t)
	return r
}

func (d *owner) ask(t *machine.Thread, key int, write bool, hold time.Duration) uint64 {
	r := &d.requests[t.ID()]
	r.key, r.write, r.hold = key, write, hold
	d.lock.lock.Lock(t)
	t.Touch(d.lock.data.lines[0])
	d.queue = append(d.queue, r)
	wake := d.asleep
	d.asleep = false
	d.lock.lock.Unlock(t)
	if wake {
		d.work.Complete(t)
	}
	r.answer.Wait(t)
	return r.value
}

func (d *owner) Write(t *machine.Thread, key int, hold time.Duration) { d.ask(t, key, true, hold) }
func (d *owner) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	return d.ask(t, key, false, hold)
}
func (d *owner) Sum() uint64 { return d.data.Sum() }
