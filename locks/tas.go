package locks

import "hostlock/machine"

var tasInfo = Info{
	Name:   "tas",
	About:  "a swap until it succeeds; every waiter takes the line away from the holder",
	Origin: "test-and-set as of the IBM System/360; swap_mutex of lockhammer is the same loop",
	Spins:  machine.TAS, Closed: true,
	New: func(e Env) Lock {
		return on(e, func(e Env) Lock { return NewTASOn(machine.NewLine(e.Class)) })
	},
}

// NewTASOn makes one on a line that it may share with others.
func NewTASOn(line *machine.Line) *TAS {
	l := new(TAS)
	l.word.Init(line, 0)
	return l
}

// TAS is a plain test-and-set lock.
type TAS struct{ word machine.Word }

// Lock takes the lock.
func (l *TAS) Lock(t *machine.Thread) {
	for l.word.Swap(t, 1) != 0 {
		t.Relax(&l.word)
	}
}

// Unlock releases it.
func (l *TAS) Unlock(t *machine.Thread) { l.word.Store(t, 0) }
