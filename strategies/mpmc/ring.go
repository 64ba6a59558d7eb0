// Package mpmc has a bounded queue for many producers and many consumers over
// machine words.
package mpmc

import "hostlock/machine"

// Ring is a bounded FIFO queue of 32-bit values without a lock. Origin: the
// idea of Dmitry Vyukov's bounded MPMC queue (1024cores.net), written anew:
// every cell carries a sequence number that says for which turn of which
// position it is ready, so that producers meet only at the tail, and consumers
// only at the head. Here a cell is one word, the number in its upper half and
// the value in its lower, and so is published by one store.
//
// An operation that has claimed a position and not yet stored its cell holds
// up those who come to that cell: Dequeue and Empty take it for empty, Enqueue
// for full. A caller that shares a core with an interrupt handler which uses
// the same ring turns interrupts off around an operation, or that handler
// could wait for the one that it interrupted.
type Ring struct {
	_     [64]byte
	tail  machine.Word // next position to enqueue
	_     [64]byte
	head  machine.Word // next position to dequeue
	_     [64]byte
	mask  uint64
	cells []machine.Word
}

// cellsPerLine is how many words of 16 bytes lie on one cache line.
const cellsPerLine = 4

// origin is where positions begin: a little below the end of a cell's half, so
// that every run goes over it, and not only one of four thousand million items.
const origin = 1<<32 - 16

// New makes a ring for at least capacity values; the class names its lines.
func New(class string, capacity int) *Ring { return newAt(class, capacity, origin) }

// newAt makes a ring whose positions begin at start.
func newAt(class string, capacity int, start uint64) *Ring {
	// With a single cell, "written in this turn" and "free for the next" would be
	// the same number.
	n := 2
	for n < capacity {
		n <<= 1
	}
	r := &Ring{mask: uint64(n - 1), cells: make([]machine.Word, n)}
	r.tail.Init(machine.NewLine(class+"_tail"), start)
	r.head.Init(machine.NewLine(class+"_head"), start)
	lines := make([]machine.Line, (n+cellsPerLine-1)/cellsPerLine)
	class += "_cells"
	for i := range r.cells {
		line := &lines[i/cellsPerLine]
		line.Class = class
		// The first position from start on that this cell serves.
		pos := start + (uint64(i)-start)&r.mask
		r.cells[i].Init(line, pack(pos, 0))
	}
	return r
}

// Fill puts values into a ring that nobody uses yet.
func (r *Ring) Fill(values ...uint32) {
	pos := r.tail.Peek()
	for _, v := range values {
		c := &r.cells[pos&r.mask]
		c.Init(c.Line(), pack(pos+1, v))
		pos++
	}
	r.tail.Init(r.tail.Line(), pos)
}

func pack(turn uint64, v uint32) uint64 { return turn<<32 | uint64(v) }

// ahead is how far a cell's number is ahead of the one wanted: 0 is ready, less
// is not yet, more is somebody else's already.
func ahead(cell, want uint64) int32 { return int32(uint32(cell>>32) - uint32(want)) }

// Cap is how many values the ring takes.
func (r *Ring) Cap() int { return len(r.cells) }

// Tail is the word that changes when something is enqueued, and Head that when
// something is dequeued: for machine.Thread.Relax.
func (r *Ring) Tail() *machine.Word { return &r.tail }
func (r *Ring) Head() *machine.Word { return &r.head }

// Enqueue appends a value and reports whether there was room.
func (r *Ring) Enqueue(t *machine.Thread, v uint32) bool {
	pos := r.tail.Load(t)
	for {
		c := &r.cells[pos&r.mask]
		switch d := ahead(c.Load(t), pos); {
		case d == 0:
			if r.tail.CAS(t, pos, pos+1) {
				c.Store(t, pack(pos+1, v))
				return true
			}
		case d < 0:
			return false
		}
		pos = r.tail.Load(t)
	}
}

// Dequeue takes the oldest value, if there is one.
func (r *Ring) Dequeue(t *machine.Thread) (uint32, bool) {
	pos := r.head.Load(t)
	for {
		c := &r.cells[pos&r.mask]
		cell := c.Load(t)
		switch d := ahead(cell, pos+1); {
		case d == 0:
			if r.head.CAS(t, pos, pos+1) {
				c.Store(t, pack(pos+uint64(len(r.cells)), 0))
				return uint32(cell), true
			}
		case d < 0:
			return 0, false
		}
		pos = r.head.Load(t)
	}
}

// Empty reports whether Dequeue would have found nothing.
func (r *Ring) Empty(t *machine.Thread) bool {
	for {
		pos := r.head.Load(t)
		switch d := ahead(r.cells[pos&r.mask].Load(t), pos+1); {
		case d == 0:
			return false
		case d < 0:
			return true
		}
	}
}

// Len is how many values are in the ring, some of which may be on their way in
// or out.
func (r *Ring) Len(t *machine.Thread) int {
	head := r.head.Load(t)
	return int(int64(r.tail.Load(t) - head))
}
