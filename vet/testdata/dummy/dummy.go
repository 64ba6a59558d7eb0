package dummy

import (
	"sync"

	"hostlock/machine"
	"hostlock/strategies"
)

type limit struct {
	strategies.Counter
	mu    sync.Mutex //lab:free to see the words alone
	loud  sync.Mutex
	busy  machine.Word
	show  machine.Word
	quiet machine.Word
}

func (l *limit) Take(t *machine.Thread) bool {
	l.show.Load(t) // want `limit.Take: a word is loaded and its value thrown away`
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy.Load(t) == 0
}

func (l *limit) Full(t *machine.Thread) bool {
	_ = l.busy.Load(t) // want `limit.Full: a word is loaded`
	return false
}

func (l *limit) Give(t *machine.Thread) {
	l.loud.Lock()
	defer l.loud.Unlock()
	l.quiet.Add(t, 1) // want `limit.Give: nobody reads quiet, which is changed beside sync.Mutex.Lock`
	l.busy.Store(t, 0)
}

// Alone changes a word that Take looks at: that is none for show.
func (l *limit) Alone(t *machine.Thread) bool {
	l.busy.CAS(t, 1, 0)
	return true
}
