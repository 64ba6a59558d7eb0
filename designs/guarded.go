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
}

func newGuarded(e *Env, n, keys int) *guarded {
	return &guarded{lock: e.lock(), data: NewData(keys, e.Lines), env: e, n: n}
}

func (g *guarded) add(t *machine.Thread, i int, n uint64, hold time.Duration) {
	g.lock.Lock(t)
	from := g.from(t)
	g.data.Add(t, i, n, hold)
	g.told(t, from)
	g.lock.Unlock(t)
}

func (g *guarded) get(t *machine.Thread, i int, hold time.Duration) uint64 {
	if rw, ok := g.lock.(locks.RWLock); ok {
		rw.RLock(t)
		v := g.data.Get(t, i, hold)
		rw.RUnlock(t)
		return v
	}
	g.lock.Lock(t)
	from := g.from(t)
	v := g.data.Get(t, i, hold)
	g.told(t, from)
	g.lock.Unlock(t)
	return v
}

// from and told are the instrument's: nothing where nobody asked.
func (g *guarded) from(t *machine.Thread) time.Duration {
	if g.env.Held == nil {
		return 0
	}
	return t.Now()
}

func (g *guarded) told(t *machine.Thread, from time.Duration) {
	if g.env.Held != nil {
		g.env.Held(t, g.n, from, t.Now())
	}
}
