package ffsb

import (
	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

var (
	secDeletefile = machine.NewSection("ffsb_deletefile")
	secMetaops    = machine.NewSection("ffsb_metaops")
	secCreatedir  = machine.NewSection("ffsb_createdir")
	secStat       = machine.NewSection("ffsb_stat")
	secOpenClose  = machine.NewSection("ffsb_open_close")
)

// delete is ffsb_deletefile: it unlinks a file that nobody else has.
//
//go:noinline
func (th *thread) delete(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secDeletefile)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, true)
	if f == nil {
		return false
	}
	fs.data.remove(th.t, f)
	th.unlink()
	fs.truncate(f)
	f.leave(th.t, true)
	th.count(op, 1, 0, 0)
	return true
}

// metaop is ffsb_metaops: two directories made, one removed, one renamed, all
// in meta/, as one transaction.
//
//go:noinline
func (th *thread) metaop(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secMetaops)
	defer th.t.Leave()
	for range 2 {
		d := fs.meta.add(th.t)
		th.metaCall(vfsMkdir)
		d.leave(th.t, true)
	}
	d := th.choose(fs, &fs.meta, op, true)
	if d == nil {
		return false
	}
	fs.meta.remove(th.t, d)
	th.metaCall(vfsRmdir)
	d.leave(th.t, true)
	if d = th.choose(fs, &fs.meta, op, true); d == nil {
		return false
	}
	th.metaCall(vfsRename)
	d.leave(th.t, true)
	th.count(op, 1, 0, 0)
	return true
}

// createdir is ffsb_createdir: one more directory.
//
//go:noinline
func (th *thread) createdir(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secCreatedir)
	defer th.t.Leave()
	fs.data.lock.Lock(th.t)
	fs.dirs++
	fs.data.lock.Unlock(th.t)
	th.metaCall(vfsMkdir)
	th.count(op, 1, 0, 0)
	return true
}

// stat is ffsb_stat.
//
//go:noinline
func (th *thread) stat(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secStat)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	th.timed(profile.SysStat, vfsStat)
	f.leave(th.t, false)
	th.count(op, 1, 0, 0)
	return true
}

// openClose is ffsb_open_close.
//
//go:noinline
func (th *thread) openClose(fs *filesystem, op profile.Op) bool {
	th.t.Enter(secOpenClose)
	defer th.t.Leave()
	f := th.choose(fs, &fs.data, op, false)
	if f == nil {
		return false
	}
	th.open()
	th.close()
	f.leave(th.t, false)
	th.count(op, 1, 0, 0)
	return true
}
