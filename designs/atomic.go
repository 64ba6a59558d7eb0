package designs

import (
	"time"

	"hostlock/machine"
)

var atomicInfo = Info{
	Name: "atomic", About: "one atomic add a write, eight counters to a line",
	Gives: "the data must be one word a key", Readers: true,
	New: func(e Env) Design { return &atomics{words: newWords(e.Keys)} },
}

// atomics needs no lock. The work of the section is done all the same.
type atomics struct {
	Base
	words []machine.Word
}

func (d *atomics) Write(t *machine.Thread, key int, hold time.Duration) {
	t.Work(hold)
	d.words[key].Add(t, 1)
}

func (d *atomics) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	v := d.words[key].Load(t)
	t.Work(hold)
	return v
}

func (d *atomics) Sum() uint64 { return sumOf(d.words) }
