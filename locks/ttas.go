package locks

import "hostlock/machine"

var ttasInfo = Info{
	Name:   "ttas",
	About:  "reads until the lock looks free, then swaps; waits longer after each failure",
	Origin: "Rudolph and Segall 1984, with Anderson's backoff (1990)",
	Spins:  machine.TAS, Closed: true,
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

// maxBackoff bounds the turns between two attempts: some microseconds, about a
// hand-off among 64 waiters.
const maxBackoff = 64

// Lock takes the lock.
func (l *TTAS) Lock(t *machine.Thread) {
	for wait := 1; ; wait = min(2*wait, maxBackoff) {
		for l.word.Load(t) != 0 {
			t.Relax(&l.word)
		}
		if l.word.Swap(t, 1) == 0 {
			return
		}
		for range 1 + t.Rand().IntN(wait) {
			t.Relax(&l.word)
		}
	}
}

// Unlock releases it.
func (l *TTAS) Unlock(t *machine.Thread) { l.word.Store(t, 0) }
