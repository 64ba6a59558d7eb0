package designs

import (
	"time"

	"hostlock/machine"
)

var shorterInfo = Info{
	Name: "shorter", About: "one lock, with half of the section's work moved before it", Kinds: true,
	Gives: "half of the work must not need the lock",
	New:   func(e Env) Design { return &shorter{one{g: newGuarded(&e, 0, e.Keys)}} },
}

// shorter does half of the work outside.
type shorter struct{ one }

func (d *shorter) Write(t *machine.Thread, key int, hold time.Duration) {
	t.Work(hold / 2)
	d.one.Write(t, key, hold-hold/2)
}

func (d *shorter) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	t.Work(hold / 2)
	return d.one.Read(t, key, hold-hold/2)
}
