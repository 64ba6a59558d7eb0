package ffsb

import (
	"time"

	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

// thread is one of FFSB's threads. Only itself uses it while it runs.
type thread struct {
	_      [64]byte // its counters are nobody else's cache line
	run    *run
	group  *group
	number int
	t      *machine.Thread
	port   port
	giveUp func() bool

	tally  tally
	stats  *callStats // nil where the group has none
	pieces []piece    // of the block at hand
	data   []byte     // of the block at hand, while verifying
	marks  []uint64   // of the block at hand, while verifying: one a piece
	_      [64]byte
}

func newThread(r *run, g *group, number int) *thread {
	th := &thread{run: r, group: g, number: number, stats: newStats(&g.conf.Stats)}
	th.giveUp = th.over
	if r.check != nil {
		most := max(g.conf.ReadBlocksize.V, g.conf.WriteBlocksize.V)
		// A block that begins and ends inside a sector touches one more.
		th.data = make([]byte, (most/sectorSize+2)*sectorSize)
	}
	return th
}

// main is FFSB's loop.
func (th *thread) main(t *machine.Thread) {
	th.t = t
	th.port = th.run.storage.port(t)
	delay := th.group.conf.OpDelay.V
	for !th.over() {
		op := th.group.picks.pick(t.Rand())
		fs := th.group.fs[0]
		if n := len(th.group.fs); n > 1 {
			fs = th.group.fs[t.Rand().IntN(n)]
		}
		if th.do(op, fs) {
			th.count(op, 0, 1, 0)
		}
		th.sleep(delay)
	}
	if p, ok := th.port.(*cachedPort); ok {
		if err := p.finish(t); err != nil {
			th.run.end(err)
		}
	}
	// The machine is told when to end, by its plan or by whoever ended the run.
	th.run.idle(t)
}

// do carries out one operation and reports whether it came to its end.
func (th *thread) do(op profile.Op, fs *filesystem) bool {
	switch op.Base() {
	case profile.OpRead:
		return th.read(fs, op)
	case profile.OpReadall:
		return th.readall(fs, op)
	case profile.OpWrite:
		return th.write(fs, op)
	case profile.OpWriteall:
		return th.writeall(fs, op)
	case profile.OpCreate:
		return th.create(fs, op)
	case profile.OpAppend:
		return th.append(fs, op)
	case profile.OpDelete:
		return th.delete(fs, op)
	case profile.OpMetaop:
		return th.metaop(fs, op)
	case profile.OpCreatedir:
		return th.createdir(fs, op)
	case profile.OpStat:
		return th.stat(fs, op)
	case profile.OpOpenClose:
		return th.openClose(fs, op)
	}
	panic("ffsb: no such operation: " + op.String())
}

// over reports whether the thread should come to its end.
func (th *thread) over() bool { return th.run.ended.Load() || th.run.m.Stopping() }

// sleep is op_delay, in slices that see the end of the run.
func (th *thread) sleep(d time.Duration) {
	const slice = 100 * time.Millisecond
	for d > 0 && !th.over() {
		th.t.Sleep(min(d, slice))
		d -= slice
	}
}

// count books what happened within the window.
func (th *thread) count(op profile.Op, transactions, calls, bytes int64) {
	if !th.run.open.Load() {
		return
	}
	o := &th.tally.ops[op]
	o.transactions += transactions
	o.calls += calls
	o.bytes += bytes
}

// choose takes a file of a list, or nil where the run is over: FFSB ends, too,
// where there is none left.
func (th *thread) choose(fs *filesystem, l *filelist, op profile.Op, write bool) *file {
	f, none := l.choose(th.t, write, th.giveUp)
	if none {
		th.end(op, "no file is left in %s, where FFSB ends; legal: more files to begin with, or fewer deletes", fs.conf.Location.V)
	}
	return f
}
