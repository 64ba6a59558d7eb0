package designs

import (
	"time"

	"hostlock/machine"
)

// defaultShards is what a sharded design has where nobody says.
const defaultShards = 16

var shardsInfo = Info{
	Name: "shards", About: "16 locks, each over its part of the keys and on lines of its own", Kinds: true,
	Gives: "nothing may need two parts at once",
	New:   func(e Env) Design { return newShards(e) },
}

// shards has a lock a part.
type shards struct {
	Base
	parts []*guarded
}

func newShards(e Env) *shards {
	n := e.Parts
	if n == 0 {
		n = defaultShards
	}
	d := new(shards)
	for i := range n {
		d.parts = append(d.parts, newGuarded(&e, i, (e.Keys+n-1)/n))
	}
	return d
}

func (d *shards) of(key int) (*guarded, int) { return d.parts[key%len(d.parts)], key / len(d.parts) }

func (d *shards) Write(t *machine.Thread, key int, hold time.Duration) {
	g, i := d.of(key)
	g.add(t, i, 1, hold)
}

func (d *shards) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	g, i := d.of(key)
	return g.get(t, i, hold)
}

func (d *shards) Sum() (sum uint64) {
	for _, g := range d.parts {
		sum += g.data.Sum()
	}
	return sum
}
