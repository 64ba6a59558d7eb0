package ffsb

import (
	"time"

	"hostlock/workload/ffsb/profile"
)

// tally is what FFSB counts, for one thread or for several together.
type tally struct {
	ops [profile.NumOps]opTally
}

// opTally is what FFSB counts of one operation.
type opTally struct {
	transactions int64
	calls        int64 // what FFSB calls the operation's weight
	bytes        int64
}

func (t *tally) add(o *tally) {
	for i := range t.ops {
		t.ops[i].transactions += o.ops[i].transactions
		t.ops[i].calls += o.ops[i].calls
		t.ops[i].bytes += o.ops[i].bytes
	}
}

// total adds the operations up; bytes read and written are apart.
func (t *tally) total() (transactions, calls, read, wrote int64) {
	for _, op := range profile.Ops() {
		o := t.ops[op]
		transactions += o.transactions
		calls += o.calls
		switch {
		case op.Reads():
			read += o.bytes
		case op.Writes():
			wrote += o.bytes
		}
	}
	return
}

// callStats is what [stats] asks for: how long each kind of system call took,
// in whole microseconds as FFSB keeps it.
type callStats struct {
	conf  *profile.Stats
	calls [profile.NumSyscalls]callStat
	bins  [profile.NumSyscalls][]int64 // by range; nil where ranges are off
}

type callStat struct {
	min, max, sum time.Duration
	count         int64
}

// newStats is nil where the group asks for none.
func newStats(conf *profile.Stats) *callStats {
	if !conf.Enable.V {
		return nil
	}
	s := &callStats{conf: conf}
	if conf.EnableRange.V {
		for i := range s.bins {
			s.bins[i] = make([]int64, len(conf.Ranges))
		}
	}
	return s
}

// record takes one call into account.
func (s *callStats) record(call profile.Syscall, took time.Duration) {
	if s.conf.Ignores(call) {
		return
	}
	took = took.Truncate(time.Microsecond)
	c := &s.calls[call]
	if c.count == 0 || took < c.min {
		c.min = took
	}
	c.max = max(c.max, took)
	c.sum += took
	c.count++
	if s.bins[call] == nil {
		return
	}
	for i := range s.conf.Ranges {
		// Both ends belong to a range, and the first that matches counts.
		if r := &s.conf.Ranges[i]; r.Lo <= took && took <= r.Hi {
			s.bins[call][i]++
			return
		}
	}
}

// add takes in the stats of another thread of the same group.
func (s *callStats) add(o *callStats) {
	for i := range s.calls {
		a, b := &s.calls[i], o.calls[i]
		if b.count == 0 {
			continue
		}
		if a.count == 0 || b.min < a.min {
			a.min = b.min
		}
		a.max = max(a.max, b.max)
		a.sum += b.sum
		a.count += b.count
		for j, n := range o.bins[i] {
			s.bins[i][j] += n
		}
	}
}
