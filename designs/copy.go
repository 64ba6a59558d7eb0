package designs

import (
	"slices"
	"time"

	"hostlock/locks"
	"hostlock/machine"

	"go.uber.org/atomic"
)

var copyInfo = Info{
	Name: "copy", About: "copy-on-write: reads take no lock; a write copies all data, changes the copy and publishes it",
	Gives: "a write copies every line, and leaves garbage", Kinds: true, Readers: true,
	New: func(e Env) Design {
		d := &copied{lock: e.lock(), seen: &guarded{env: &e}}
		d.published.Init(machine.NewLine("published"), 0)
		for range versions {
			d.lines = append(d.lines, NewData(0, e.Lines).lines)
		}
		d.now.Store(&Data{values: make([]uint64, e.Keys), lines: d.lines[0]})
		return d
	},
}

// versions is how many sets of lines the copies go round: a new copy's memory
// was used by others before, and few enough fit a cache.
const versions = 64

// copied publishes whole copies.
type copied struct {
	Base
	lock      locks.Lock
	seen      *guarded             // for the instrument alone
	published machine.Word         // stands for the pointer: its line, and its order
	now       atomic.Pointer[Data] //lab:free published, which is read and written beside it, is what it costs
	lines     [][]*machine.Line    // under lock
	n         int                  // under lock
}

func (d *copied) Write(t *machine.Thread, key int, hold time.Duration) {
	h := d.seen.come(t)
	d.lock.Lock(t)
	h.got(t)
	old := d.now.Load()
	for _, l := range old.lines {
		t.Look(l)
	}
	d.n++
	next := &Data{values: slices.Clone(old.values), lines: d.lines[d.n%versions]}
	next.Add(t, key, 1, hold)
	d.published.Store(t, uint64(d.n))
	d.now.Store(next)
	h.leave(t)
	d.lock.Unlock(t)
}

func (d *copied) Read(t *machine.Thread, key int, hold time.Duration) uint64 {
	d.published.Load(t) //lab:free it stands for the pointer
	return d.now.Load().Get(t, key, hold)
}

func (d *copied) Sum() uint64 { return d.now.Load().Sum() }
