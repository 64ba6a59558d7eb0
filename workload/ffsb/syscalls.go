package ffsb

import (
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

// The system calls, in the kernel's spelling.
var (
	vfsRead   = machine.NewSection("vfs_read")
	vfsWrite  = machine.NewSection("vfs_write")
	vfsFsync  = machine.NewSection("vfs_fsync")
	sysOpen   = machine.NewSection("do_sys_open")
	sysClose  = machine.NewSection("sys_close")
	vfsStat   = machine.NewSection("vfs_stat")
	vfsUnlink = machine.NewSection("vfs_unlink")
	vfsMkdir  = machine.NewSection("vfs_mkdir")
	vfsRmdir  = machine.NewSection("vfs_rmdir")
	vfsRename = machine.NewSection("vfs_rename")
)

// readBlock is one read(2): n bytes of a file at an offset.
//
//go:noinline
func (th *thread) readBlock(fs *filesystem, f *file, op profile.Op, off, n int64) bool {
	t := th.t
	from := th.began()
	t.Enter(vfsRead)
	ok := th.transfer(fs, f, op, off, n, false)
	t.Leave()
	th.took(profile.SysRead, from)
	return ok
}

// writeBlock is one write(2) to blocks that the file has.
//
//go:noinline
func (th *thread) writeBlock(fs *filesystem, f *file, op profile.Op, off, n int64) bool {
	t := th.t
	from := th.began()
	t.Enter(vfsWrite)
	ok := th.transfer(fs, f, op, off, n, true)
	t.Leave()
	th.took(profile.SysWrite, from)
	return ok
}

// appendBlock is one write(2) at the end of a file.
//
//go:noinline
func (th *thread) appendBlock(fs *filesystem, f *file, op profile.Op, n int64) bool {
	t := th.t
	from := th.began()
	t.Enter(vfsWrite)
	off, ok := fs.grow(f, n)
	if !ok {
		th.full(fs, op)
	}
	ok = ok && th.transfer(fs, f, op, off, n, true)
	t.Leave()
	th.took(profile.SysWrite, from)
	return ok
}

// transfer moves one block: half of its processor time, its requests all at
// once, the other half when the last is done.
func (th *thread) transfer(fs *filesystem, f *file, op profile.Op, off, n int64, write bool) bool {
	t := th.t
	cpu := th.run.costs.block.Draw(t.Rand())
	t.Work(cpu / 2)
	fs.mu.Lock()
	th.pieces = fs.resolve(th.pieces[:0], f, off, n)
	fs.mu.Unlock()
	var err error
	switch {
	case th.run.check != nil:
		err = th.checkedIO(write)
	default:
		kind := dispatch.Read
		if write {
			kind = dispatch.Write
		}
		for _, p := range th.pieces {
			th.port.submit(t, p.dev, kind, p.sector, p.sectors, nil)
		}
		err = th.port.wait(t)
	}
	if err != nil {
		th.end(op, "%w; FFSB exits at any I/O error", err)
		return false
	}
	t.Work(cpu - cpu/2)
	return true
}

// fsync is one fsync(2): all data is on the devices already, but may be in
// their caches.
//
//go:noinline
func (th *thread) fsync(fs *filesystem, op profile.Op) bool {
	t := th.t
	t.Enter(vfsFsync)
	defer t.Leave()
	t.Work(th.run.costs.meta.Draw(t.Rand()))
	if !th.run.costs.flush {
		return true
	}
	for _, p := range fs.vol.parts {
		th.port.submit(t, p.dev, dispatch.Flush, 0, 0, nil)
	}
	if err := th.port.wait(t); err != nil {
		th.end(op, "fsync: %w; FFSB exits at any I/O error", err)
		return false
	}
	return true
}

// metaCall is one system call on metadata.
//
//go:noinline
func (th *thread) metaCall(s *machine.Section) {
	th.t.Enter(s)
	th.t.Work(th.run.costs.meta.Draw(th.t.Rand()))
	th.t.Leave()
}

// open and its like are system calls that [stats] knows.
func (th *thread) open()   { th.timed(profile.SysOpen, sysOpen) }
func (th *thread) close()  { th.timed(profile.SysClose, sysClose) }
func (th *thread) unlink() { th.timed(profile.SysUnlink, vfsUnlink) }

// openNew is the open of a new file, which FFSB counts as both open and create.
func (th *thread) openNew() {
	from := th.began()
	th.metaCall(sysOpen)
	th.took(profile.SysOpen, from)
	th.took(profile.SysCreate, from)
}

func (th *thread) timed(call profile.Syscall, s *machine.Section) {
	from := th.began()
	th.metaCall(s)
	th.took(call, from)
}

// seek is lseek(2), too short to cost anything.
func (th *thread) seek() { th.took(profile.SysLseek, th.began()) }

// began and took bracket a system call for [stats].
func (th *thread) began() time.Duration {
	if th.stats == nil {
		return 0
	}
	return th.t.Now()
}

func (th *thread) took(call profile.Syscall, from time.Duration) {
	if th.stats != nil && th.run.open.Load() {
		th.stats.record(call, th.t.Now()-from)
	}
}

// full is how FFSB ends when a write finds no room.
func (th *thread) full(fs *filesystem, op profile.Op) {
	th.end(op, "%s, of %s, is full, where FFSB ends; legal: larger devices (device.capacity) or more of them, or a shorter run",
		fs.conf.Location.V, sizeText(fs.vol.blocks*BlockSize))
}

// end ends the run as FFSB would, with the place in the profile that asks for
// the operation.
func (th *thread) end(op profile.Op, format string, args ...any) {
	pos := th.group.conf.Weights[op].Pos
	if !pos.IsValid() {
		pos = th.group.conf.Pos
	}
	th.run.end(fmt.Errorf("%s: %s after %v: "+format, append([]any{pos, op, th.t.Now()}, args...)...))
}
