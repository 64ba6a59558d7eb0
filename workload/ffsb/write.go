package ffsb

import (
	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

var (
	secWritefile  = machine.NewSection("ffsb_writefile")
	secWriteall   = machine.NewSection("ffsb_writeall")
	secCreatefile = machine.NewSection("ffsb_createfile")
	secAppendfile = machine.NewSection("ffsb_appendfile")
)

// write is ffsb_writefile: write_size bytes of one file written over, one
// after the other from a random place, or each block at a random place. The
// file is taken for reading: writers do not exclude each other. A transaction
// is a block, a last part of one included; at random places only whole ones
// are written.
//
//go:noinline
func (th *thread) write(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secWritefile)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	g := th.group.conf
	th.open()
	var ok bool
	switch size := fs.size(f); {
	case size < g.WriteSize.V:
		th.tooSmall(op, size, g.WriteSize.V)
	case g.WriteRandom.V:
		ok = th.writeRandom(fs, f, op, size)
	default:
		ok = th.writeFrom(fs, f, op, th.startAt(size-g.WriteSize.V), g.WriteSize.V)
	}
	return th.finish(fs, f, op, ok, false)
}

// finish is the end of every operation that writes.
func (th *thread) finish(fs *filesystem, f *file, op profile.Op, ok, write bool) bool {
	if ok && op.Fsync() {
		ok = th.fsync(fs, op)
	}
	f.leave(th.t, write)
	th.close()
	return ok
}

// writeFrom writes size bytes one block after the other over what is there.
func (th *thread) writeFrom(fs *filesystem, f *file, op profile.Op, off, size int64) bool {
	bs := th.group.conf.WriteBlocksize.V
	for ; size > 0; size, off = size-bs, off+bs {
		n := min(bs, size)
		if th.over() || !th.writeBlock(fs, f, op, off, n) {
			return false
		}
		th.count(op, 1, 0, n)
	}
	return true
}

func (th *thread) writeRandom(fs *filesystem, f *file, op profile.Op, size int64) bool {
	g := th.group.conf
	bs, left := g.WriteBlocksize.V, g.WriteSize.V
	for ; left >= bs; left -= bs {
		off := randomOffset(th.t.Rand(), size-bs, th.run.conf.Aligned())
		th.seek()
		if th.over() || !th.writeBlock(fs, f, op, off, bs) {
			return false
		}
		th.count(op, 1, 0, bs)
	}
	// FFSB counts the bytes that it was told to write, not those that it wrote.
	th.count(op, 0, 0, left)
	return true
}

// writeall is ffsb_writeall: the whole file from its beginning, written over.
//
//go:noinline
func (th *thread) writeall(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secWriteall)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	th.open()
	ok := th.writeFrom(fs, f, op, 0, fs.size(f))
	return th.finish(fs, f, op, ok, false)
}

// append is ffsb_appendfile: write_size bytes at the end of a file. FFSB lets
// go of the file as soon as it is open, so that it may be deleted meanwhile;
// here it stays taken for reading to the end, and deletes pick another.
//
//go:noinline
func (th *thread) append(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secAppendfile)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	th.open()
	g := th.group.conf
	ok := true
	for left := g.WriteSize.V; ok && left > 0; left -= g.WriteBlocksize.V {
		n := min(g.WriteBlocksize.V, left)
		if ok = !th.over() && th.appendBlock(fs, f, op, n); ok {
			th.count(op, 1, 0, n)
		}
	}
	return th.finish(fs, f, op, ok, false)
}

// create is ffsb_createfile: a new file, written from its beginning to the
// size that was drawn for it, taken for writing all the while. Its blocks are
// allocated at once, as a file system that allocates late lays it out.
//
//go:noinline
func (th *thread) create(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secCreatefile)
	defer th.t.Leave()
	size := drawSize(th.t.Rand(), fs.conf)
	f := fs.data.add(th.t)
	th.openNew()
	_, ok := fs.grow(f, size)
	if !ok {
		th.full(fs, op)
	}
	ok = ok && th.writeFrom(fs, f, op, 0, size)
	return th.finish(fs, f, op, ok, true)
}
