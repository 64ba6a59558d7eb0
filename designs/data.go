package designs

import (
	"time"

	"hostlock/machine"
)

// Data is what one lock guards: counters in plain fields, on lines that move to
// whoever writes them.
type Data struct {
	lines  []*machine.Line
	values []uint64
}

// NewData makes counters on as many lines as a hold touches.
func NewData(keys, lines int) *Data {
	d := &Data{values: make([]uint64, keys)}
	for range lines {
		d.lines = append(d.lines, machine.NewLine("data"))
	}
	return d
}

// Add adds n to a counter, with the hold in between. The caller excludes others.
func (d *Data) Add(t *machine.Thread, i int, n uint64, hold time.Duration) {
	v := d.values[i]
	for _, l := range d.lines {
		t.Touch(l)
	}
	t.Work(hold)
	d.values[i] = v + n
}

// Get reads a counter, with the hold. The caller keeps writers out.
func (d *Data) Get(t *machine.Thread, i int, hold time.Duration) uint64 {
	for _, l := range d.lines {
		t.Look(l)
	}
	t.Work(hold)
	return d.values[i]
}

// Sum adds all counters up, when no thread runs.
func (d *Data) Sum() (sum uint64) {
	for _, v := range d.values {
		sum += v
	}
	return sum
}
