package fio

import (
	"fmt"
	"time"

	"hostlock/dispatch"
)

// pass is where a job is.
type pass struct {
	ops, bytes int64    // issued in this pass
	all        int64    // operations of the round
	writes     int64    // issued since the round began, for fsync
	sent       [2]int64 // bytes of the round, for rate
	done       int64    // operations that came back
	thought    int64    // of ops or done, when the job paused last
	flushed    bool     // the last operation was a flush
	due        [2]time.Duration
	written    []piece // for verify
	inFlight   int
	deadline   time.Duration
	over       bool       // no pass comes any more
	rated      [2]float64 // bytes a second
}

// piece is a written piece, to be read back.
type piece struct {
	file   int
	off, n int64
}

// jobRun is one job from its beginning to its end.
func (th *thread) jobRun() {
	c := th.clone
	th.counts = pass{}
	p := &th.counts
	delay := c.delay[0]
	if c.delay[1] > delay {
		delay += time.Duration(th.t.Rand().Int64N(int64(c.delay[1]-delay) + 1))
	}
	if !th.sleep(delay) {
		return
	}
	th.began = th.t.Now()
	p.due = [2]time.Duration{th.began, th.began}
	for d := range p.rated {
		if p.rated[d] = c.rate[d]; c.rateIOPS[d] > 0 {
			p.rated[d] = c.rateIOPS[d] * float64(c.bs[d].lo)
		}
	}
	if c.runtime > 0 {
		p.deadline = th.began + c.ramp + c.runtime
	}
	for l := 0; (l < c.loops || c.timeBased) && !p.over && !th.ended(); l++ {
		th.pick.again()
		p.ops, p.bytes, p.written = 0, 0, p.written[:0]
		th.onePass()
		if c.verify && c.readBack && c.does[writes] {
			th.readBack()
		}
	}
	if c.exitAll && !th.ended() {
		th.run.exits.Store(int64(th.round) + 1)
	}
}

// late reports whether the job's runtime is over.
func (th *thread) late() bool {
	p := &th.counts
	if p.deadline > 0 && th.t.Now() >= p.deadline {
		p.over = true
	}
	return p.over
}

// onePass moves the job's bytes once.
func (th *thread) onePass() {
	c, p := th.clone, &th.counts
	again := false
	for !th.ended() && !th.late() {
		if !c.timeBased && p.bytes >= c.total {
			break
		}
		if c.numberIOs > 0 && p.all >= c.numberIOs {
			p.over = true
			break
		}
		if th.wantsFlush() {
			p.flushed = true
			th.flushNow()
			continue
		}
		d, ok := th.direction()
		if !ok {
			break
		}
		file, off, n, ok := th.pick.next(d)
		if !ok {
			// All is used up: io_size goes round, and so does a job with a time.
			if again || !c.timeBased && p.bytes >= c.total {
				break
			}
			th.pick.again()
			if !c.timeBased && !c.ioSize.given {
				break
			}
			again = true
			continue
		}
		again, p.flushed = false, false
		th.issue(d, file, off, n)
		p.ops, p.bytes, p.all = p.ops+1, p.bytes+n, p.all+1
		p.sent[d] += n
		if d == writes {
			p.writes++
			if c.verify {
				th.remember(file, off, n)
			}
		}
		th.setRate(d)
		th.think()
		if c.verify && c.backlog > 0 && int64(len(p.written)) >= c.backlog {
			th.readBack()
		}
	}
	th.quiesce()
	if c.endFsync && p.writes > 0 && !th.ended() {
		th.flushNow()
	}
}

// maxRemembered bounds what a job remembers to read it back.
const maxRemembered = 1 << 24

func (th *thread) remember(file int, off, n int64) {
	if p := &th.counts; len(p.written) < maxRemembered {
		p.written = append(p.written, piece{file, off, n})
	}
}

// readBack reads what was written, in that order.
func (th *thread) readBack() {
	p := &th.counts
	th.quiesce()
	for _, s := range p.written {
		if th.ended() || th.late() {
			break
		}
		th.issue(reads, s.file, s.off, s.n)
	}
	p.written = p.written[:0]
	th.quiesce()
}

// wantsFlush reports whether a flush is due before the next operation.
func (th *thread) wantsFlush() bool {
	c, p := th.clone, &th.counts
	if p.flushed || p.writes == 0 {
		return false
	}
	return c.fsync > 0 && p.writes%int64(c.fsync) == 0 || c.fdatasync > 0 && p.writes%int64(c.fdatasync) == 0
}

// direction is the next operation's, after whatever rate asks to wait for; ok
// is false where the job ended meanwhile.
func (th *thread) direction() (d int, ok bool) {
	c, p := th.clone, &th.counts
	switch {
	case !c.mixed() && c.does[writes]:
		d = writes
	case c.mixed() && th.t.Rand().IntN(100) >= c.mix:
		d = writes
	}
	if p.rated[d] == 0 {
		return d, true
	}
	now := th.t.Now()
	if p.due[d] <= now {
		return d, true
	}
	// Too early: the other direction's turn, if it is not, too.
	if o := 1 - d; c.mixed() && p.rated[o] > 0 && p.due[o] < p.due[d] {
		if d = o; p.due[d] <= now {
			return d, true
		}
	}
	// Fio waits with nothing under way.
	th.quiesce()
	wait := p.due[d] - th.t.Now()
	if p.deadline > 0 {
		wait = min(wait, p.deadline-th.t.Now())
	}
	ok = th.sleep(wait)
	return d, ok && !th.late()
}

// setRate says when the next operation of a direction is due.
func (th *thread) setRate(d int) {
	c, p := th.clone, &th.counts
	switch bps := p.rated[d]; {
	case bps == 0:
	case c.poisson:
		per := float64(c.bs[d].lo) / bps * float64(time.Second)
		p.due[d] += time.Duration(per * th.t.Rand().ExpFloat64())
	default:
		p.due[d] = th.began + time.Duration(float64(p.sent[d])/bps*float64(time.Second))
	}
}

// think pauses where thinktime asks for it.
func (th *thread) think() {
	c, p := th.clone, &th.counts
	if c.think == 0 && c.thinkSpin == 0 {
		return
	}
	n := p.done
	if c.thinkIssue {
		n = p.all
	}
	if n-p.thought < int64(c.thinkBlocks) {
		return
	}
	p.thought = n
	th.quiesce()
	spin := min(c.thinkSpin, c.think)
	if c.think == 0 {
		spin = c.thinkSpin
	}
	if spin > 0 {
		th.t.Work(spin)
	}
	th.sleep(c.think - spin)
}

// flushNow flushes the devices of the job's files, and the page cache before
// that. Engines that keep operations under way flush with none queued, and wait
// for it, as libaio's does.
func (th *thread) flushNow() {
	th.commit()
	th.spend(true)
	for _, g := range th.deviceRegions() {
		if err := th.flush(g); err != nil {
			th.failed(writes, fmt.Errorf("flush: %w", err))
			return
		}
	}
	if th.counted() {
		th.sum.flushes++
	}
}

// deviceRegions has one region of each device of the job.
func (th *thread) deviceRegions() []*region {
	var out []*region
	seen := map[*dispatch.Device]bool{}
	for i := range th.clone.regions {
		if g := &th.clone.regions[i]; g.dev != nil && !seen[g.dev] {
			seen[g.dev] = true
			out = append(out, g)
		}
	}
	return out
}
