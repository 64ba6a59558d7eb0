package designs

import (
	"time"

	"hostlock/machine"
)

var countersInfo = Info{
	Name: "counters", About: "each thread adds to counters of its own; a read adds up those of all",
	Gives: "the data must be sums; a read looks at every thread's line", Readers: true,
	New: func(e Env) Design {
		d := &counters{own: make([][]machine.Word, e.Threads)}
		for i := range d.own {
			d.own[i] = newWords(e.Keys)
		}
		return d
	},
}

// wordsALine is how many 8-byte words a line of 64 bytes has.
const wordsALine = 8

// newWords makes words that lie next to each other.
func newWords(n int) []machine.Word {
	words := make([]machine.Word, n)
	var line *machine.Line
	for i := range words {
		if i%wordsALine == 0 {
			line = machine.NewLine("counter")
		}
		words[i].Init(line, 0)
	}
	return words
}

// counters has one a thread and key. The work of the section needs no lock then,
// and is done all the same.
type counters struct {
	Base
	own [][]machine.Word
}

func (d *counters) Write(t *machine.Thread, key int, hold time.Duration) {
	t.Work(hold)
	w := &d.own[t.ID()][key]
	w.Store(t, w.Load(t)+1)
}

func (d *counters) Read(t *machine.Thread, key int, hold time.Duration) (sum uint64) {
	for i := range d.own {
		sum += d.own[i][key].Load(t)
	}
	t.Work(hold)
	return sum
}

func (d *counters) Sum() (sum uint64) {
	for i := range d.own {
		sum += sumOf(d.own[i])
	}
	return sum
}

func sumOf(words []machine.Word) (sum uint64) {
	for i := range words {
		sum += words[i].Peek()
	}
	return sum
}
