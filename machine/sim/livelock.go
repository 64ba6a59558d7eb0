package sim

import (
	"context"
	"fmt"
	"time"

	"hostlock/machine"
)

const (
	// interruptedDrain is how long, in real time, an interrupted run goes on to
	// let its threads finish; as on the live machine.
	interruptedDrain = 2 * time.Second
	// spinTurns and spinTime are what retry loops may turn, all together, in
	// which nobody does any work: more than any wait for another's operations
	// takes, and a device that somebody waits for has answered by then.
	spinTurns = 1 << 22
	spinTime  = 20 * time.Millisecond
)

// Livelock is the error of a run in which threads turn in retry loops for ever:
// what they wait for is never done, such as the release of a lock of the code's
// own that a return on the way has left taken.
type Livelock struct {
	Thread string // one of those that turn
	Line   string // what the word lies on that it waits for
	For    time.Duration
	Turns  int64
	Code   string // whose threads they are; may be empty
}

func (l *Livelock) Error() string {
	code := ""
	if l.Code != "" {
		code = " under " + l.Code
	}
	return fmt.Sprintf("livelock%s: %s turns in a retry loop on a word of line %s, and for %v (%d turns) no thread has done anything else; what it waits for was never done: is a lock left taken on some way out?",
		code, l.Thread, l.Line, l.For, l.Turns)
}

// spins counts turns of retry loops since somebody last did some work.
type spins struct {
	turns int64
	since int64
}

// turned counts one turn of a retry loop, and ends the run where nothing but
// such turns happens, or nobody wants it any more: a loop may keep the machine
// from ever coming back to its events.
func (s *Sim) turned(p *proc, w *machine.Word) {
	if p.level == levelDevice {
		return // takes no time, and so turns in no loop
	}
	if s.spins.turns == 0 {
		s.spins.since = p.t
	}
	s.spins.turns++
	if s.spins.turns%interruptEvery != 0 || s.left != nil {
		return
	}
	patience := int64(spinTime)
	if s.queued > 0 {
		// Who could end the loop may wait for a core, behind all the others.
		patience = max(patience, int64(s.cost.Slice)*int64(len(s.procs)/len(s.cores)+2))
	}
	switch d := p.t - s.spins.since; {
	case s.spins.turns >= spinTurns && d >= patience:
		s.left = &Livelock{Thread: p.Name(), Line: w.Line().Class, For: time.Duration(d), Turns: s.spins.turns, Code: s.code}
	case s.unwanted():
		s.left = context.Cause(s.ctx)
	default:
		return
	}
	s.resumeAt(p, p.t)
	p.suspend()
}

// unwanted reports whether the run was interrupted, and has had its time to
// come to an end.
func (s *Sim) unwanted() bool {
	if s.ctx.Err() == nil {
		return false
	}
	if s.interrupted.IsZero() {
		s.interrupted = time.Now()
	}
	return time.Since(s.interrupted) > interruptedDrain
}
