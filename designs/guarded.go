package designs

import (
	"time"

	"hostlock/locks"
	"hostlock/machine"
)

// guarded is one instance of a lock with what it guards.
type guarded struct {
	lock locks.Lock
	data *Data
	env  *Env
	n    int // of the instance

	held bool // for the instrument, where one thread at a time runs
}

func newGuarded(e *Env, n, keys int) *guarded {
	return &guarded{lock: e.lock(), data: NewData(keys, e.Lines), env: e, n: n}
}

func (g *guarded) add(t *machine.Thread, i int, n uint64, hold time.Duration) {
	h := g.come(t)
	g.lock.Lock(t)
	h.got(t)
	g.data.Add(t, i, n, hold)
	h.leave(t)
	g.lock.Unlock(t)
}

func (g *guarded) get(t *machine.Thread, i int, hold time.Duration) uint64 {
	if rw, ok := g.lock.(locks.RWLock); ok {
		rw.RLock(t)
		v := g.data.Get(t, i, hold)
		rw.RUnlock(t)
		return v
	}
	h := g.come(t)
	g.lock.Lock(t)
	h.got(t)
	v := g.data.Get(t, i, hold)
	h.leave(t)
	g.lock.Unlock(t)
	return v
}

// holding is the instrument's view of one acquisition: nothing where nobody asked.
type holding struct {
	g    *guarded
	met  bool
	from time.Duration
}

func (g *guarded) come(*machine.Thread) holding {
	h := holding{g: g}
	if g.env.Held != nil {
		h.met = g.held
	}
	return h
}

func (h *holding) got(t *machine.Thread) {
	if h.g.env.Held != nil {
		h.g.held, h.from = true, t.Now()
	}
}

func (h *holding) leave(t *machine.Thread) {
	if h.g.env.Held != nil {
		h.g.held = false
		h.g.env.Held(h.g.n, h.met, h.from, t.Now())
	}
}
