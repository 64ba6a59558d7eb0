package fields

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies"
)

var total int

type bare struct {
	strategies.Counter
	busy  int
	by    map[int]bool
	parts []part
	size  int
}

type part struct{ n int }

func newBare() *bare { b := &bare{by: map[int]bool{}}; b.setUp(); return b }

func (b *bare) setUp() { b.size = 1 }

func (b *bare) Take(t *machine.Thread) bool {
	b.busy++         // want `bare.Take: bare.busy is written without a line; use machine.Word, or Thread.Touch`
	b.by[1] = true   // want `bare.by is`
	b.parts[0].n = 1 // want `part.n is written`
	total++          // want `total is written`
	p := &b.parts[0]
	p.n++ // want `part.n is written`
	own := part{}
	own.n++
	made := &part{}
	made.n++
	return b.size > own.n+made.n
}

func (b *bare) Full(t *machine.Thread) bool {
	delete(b.by, 1) // want `bare.by is written`
	return b.by[2]  // want `bare.by is a map that is used`
}

// counted begins with a variable that all its functions share.
func counted() *made {
	n := 0
	m := &made{}
	m.take = func(*machine.Thread) bool {
		n++ // want `made, function at fields.go:\d+: n is written`
		k := 0
		func() { k++ }()
		return n > k
	}
	return m
}

type made struct {
	strategies.Counter
	take func(*machine.Thread) bool
}

func (m *made) Take(t *machine.Thread) bool { return m.take(t) }

// declared has a line for what it guards.
type declared struct {
	strategies.Base
	strategies.Queues
	lock  machine.SpinLock
	line  *machine.Line
	other *machine.Line
	busy  int
	hosts []int
	wrong int
}

func (s *declared) enter(t *machine.Thread) {
	s.lock.Lock(t)
	t.Touch(s.line)
}

func (s *declared) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	s.enter(t)
	return s.run()
}

// run is called with the lock held.
func (s *declared) run() bool { s.busy++; return true }

// Next begins where Enter ends.
func (s *declared) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	s.hosts = append(s.hosts, 1)
	return nil
}

func (s *declared) Release(t *machine.Thread, cmd *dispatch.Command) {
	s.lock.Lock(t)
	s.wrong++ // want `declared.Release: declared.wrong is written without a line`
	s.lock.Unlock(t)
	cmd.Slots = false
}

func (s *declared) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	run.Started = true
	return nil
}
