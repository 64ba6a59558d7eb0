package locks

import (
	"time"

	"hostlock/machine"
)

var ttasInfo = Info{
	Name:   "ttas",
	About:  "reads until the lock looks free, then swaps; waits longer after each failure",
	Origin: "Rudolph and Segall 1984, with Anderson's backoff (1990)",
	Spins:  machine.TTAS, Closed: true,
	New: func(e Env) Lock {
		return on(e, func(e Env) Lock {
			l := new(TTAS)
			l.word.Init(machine.NewLine(e.Class), 0)
			return l
		})
	},
}

// TTAS is a test-and-test-and-set lock with backoff.
type TTAS struct{ word machine.Word }

// turn is what one turn of a retry loop takes: about a pause and a read.
const turn = 20 * time.Nanosecond

// Lock takes the lock. How long it backs off is the machine's to say, so that what
// stands for it in virtual time does the same.
func (l *TTAS) Lock(t *machine.Thread) {
	for back := machine.BackoffFirst; ; back = min(2*back, machine.BackoffMost) {
		for l.word.Load(t) != 0 {
			t.Relax(&l.word)
		}
		if l.word.Swap(t, 1) == 0 {
			return
		}
		t.Work(turn * time.Duration(back/2+t.Rand().IntN(back/2+1)))
	}
}

// Unlock releases it.
func (l *TTAS) Unlock(t *machine.Thread) { l.word.Store(t, 0) }
