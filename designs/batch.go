package designs

import (
	"time"

	"hostlock/machine"
)

// defaultBatch is how many writes go in together where nobody says.
const defaultBatch = 8

var batchInfo = Info{
	Name: "batch", About: "each thread keeps eight writes back, and makes them in one hold", Kinds: true, Lags: true,
	Gives: "reads miss what is kept back; eight writes take one hold",
	New: func(e Env) Design {
		size := e.Parts
		if size == 0 {
			size = defaultBatch
		}
		return &batch{one: one{g: newGuarded(&e, 0, e.Keys)}, size: size, kept: make([]kept, e.Threads)}
	},
}

// batch keeps writes back.
type batch struct {
	one
	size int
	kept []kept // by thread
}

type kept struct {
	keys []int
	hold time.Duration // of the last write
	_    [64]byte      // the next thread's is its own
}

func (d *batch) Write(t *machine.Thread, key int, hold time.Duration) {
	k := &d.kept[t.ID()]
	k.keys, k.hold = append(k.keys, key), hold
	if len(k.keys) == d.size {
		d.Flush(t)
	}
}

// Flush makes what is kept back in one hold.
func (d *batch) Flush(t *machine.Thread) {
	k := &d.kept[t.ID()]
	if len(k.keys) == 0 {
		return
	}
	g := d.g
	h := g.come(t)
	g.lock.Lock(t)
	h.got(t)
	for i, key := range k.keys {
		hold := time.Duration(0)
		if i == 0 {
			hold = k.hold
		}
		g.data.Add(t, key, 1, hold)
	}
	h.leave(t)
	g.lock.Unlock(t)
	k.keys = k.keys[:0]
}
