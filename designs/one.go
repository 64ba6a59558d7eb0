package designs

import (
	"time"

	"hostlock/machine"
)

var oneInfo = Info{
	Name: "one", About: "one lock over everything", Kinds: true,
	New: func(e Env) Design { return &one{g: newGuarded(&e, 0, e.Keys)} },
}

// one is a single lock.
type one struct {
	Base
	g *guarded
}

func (d *one) Write(t *machine.Thread, key int, hold time.Duration) { d.g.add(t, key, 1, hold) }
func (d *one) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	return d.g.get(t, key, hold)
}
func (d *one) Sum() uint64 { return d.g.data.Sum() }
