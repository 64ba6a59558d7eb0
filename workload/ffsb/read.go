package ffsb

import (
	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

var (
	secReadfile = machine.NewSection("ffsb_readfile")
	secReadall  = machine.NewSection("ffsb_readall")
)

// read is ffsb_readfile: read_size bytes of one file, one after the other from
// a random place, or each block from a random place, or with gaps from the
// beginning. A transaction is a whole block; with gaps a last part of one
// counts, too.
//
//go:noinline
func (th *thread) read(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secReadfile)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	g := th.group.conf
	th.open()
	var ok bool
	switch size := fs.size(f); {
	case size < g.ReadSize.V:
		th.tooSmall(op, size, g.ReadSize.V)
	case g.ReadRandom.V:
		ok = th.readRandom(fs, f, op, size)
	case g.ReadSkip.V:
		ok = th.readSkip(fs, f, op, size)
	default:
		ok = th.readFrom(fs, f, op, th.startAt(size-g.ReadSize.V), g.ReadSize.V)
	}
	f.leave(th.t, false)
	th.close()
	return ok
}

// startAt is where a sequential pass begins: anywhere that leaves room for it.
func (th *thread) startAt(span int64) int64 {
	if span <= 0 {
		return 0
	}
	th.seek()
	return randomOffset(th.t.Rand(), span, th.run.conf.Aligned())
}

// readFrom reads size bytes one block after the other. A last part of a block
// is read, and its bytes count, but it is no transaction.
func (th *thread) readFrom(fs *filesystem, f *file, op profile.Op, off, size int64) bool {
	bs := th.group.conf.ReadBlocksize.V
	for ; size > 0; size, off = size-bs, off+bs {
		n, whole := bs, int64(1)
		if size < bs {
			n, whole = size, 0
		}
		if th.over() || !th.readBlock(fs, f, op, off, n) {
			return false
		}
		th.count(op, whole, 0, n)
	}
	return true
}

func (th *thread) readRandom(fs *filesystem, f *file, op profile.Op, size int64) bool {
	g := th.group.conf
	bs, left := g.ReadBlocksize.V, g.ReadSize.V
	for ; left >= bs; left -= bs {
		off := randomOffset(th.t.Rand(), size-bs, th.run.conf.Aligned())
		th.seek()
		if th.over() || !th.readBlock(fs, f, op, off, bs) {
			return false
		}
		th.count(op, 1, 0, bs)
	}
	// FFSB counts the bytes that it was told to read, not those that it read.
	th.count(op, 0, 0, left)
	return true
}

func (th *thread) readSkip(fs *filesystem, f *file, op profile.Op, size int64) bool {
	g := th.group.conf
	bs, left, off := g.ReadBlocksize.V, g.ReadSize.V, int64(0)
	for left > 0 {
		n := min(bs, left)
		if off+n > size {
			th.tooSmall(op, size, off+n)
			return false
		}
		if th.over() || !th.readBlock(fs, f, op, off, n) {
			return false
		}
		th.count(op, 1, 0, n)
		th.seek()
		off, left = off+n+g.ReadSkipsize.V, left-n
	}
	return true
}

// readall is ffsb_readall: the whole file from its beginning, whatever its
// size.
//
//go:noinline
func (th *thread) readall(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secReadall)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	th.open()
	ok := th.readFrom(fs, f, op, 0, fs.size(f))
	f.leave(th.t, false)
	th.close()
	return ok
}

// tooSmall is how FFSB aborts when a file is smaller than what an operation
// moves.
func (th *thread) tooSmall(op profile.Op, size, need int64) {
	th.end(op, "a file of %d bytes is smaller than the %d that the operation spans, where FFSB aborts", size, need)
}
