package ffsb

import (
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/machine/param"
)

// file is one file of a list. A million of them should fit, so it is small:
// its lock comes into being when it is first taken.
type file struct {
	layout       // guarded by the file system's mu
	size   int64 // in bytes; guarded by the file system's mu
	lock   atomic.Pointer[machine.RWMutex]
	state  atomic.Int32 // readers that have the file, or -1 for a writer
	pos    int32        // in the list's live files, -1 once deleted; guarded by the list's lock
}

const written = -1

// try takes the file for reading or writing, if nobody is in the way. FFSB
// never waits for a file: it tries, and picks another. So nobody ever waits
// for the lock proper, which is taken after the state: it is there so that a
// machine sees and charges it.
func (f *file) try(write bool) bool {
	for {
		s := f.state.Load()
		next := s + 1
		if write {
			next = written
		}
		if s == written || write && s != 0 {
			return false
		}
		if f.state.CompareAndSwap(s, next) {
			return true
		}
	}
}

// enter follows a successful try.
func (f *file) enter(t *machine.Thread, write bool) {
	if write {
		f.mutex().Lock(t)
	} else {
		f.mutex().RLock(t)
	}
}

// leave ends what try began.
func (f *file) leave(t *machine.Thread, write bool) {
	if write {
		f.mutex().Unlock(t)
		f.state.Store(0)
		return
	}
	f.mutex().RUnlock(t)
	f.state.Add(-1)
}

func (f *file) mutex() *machine.RWMutex {
	if m := f.lock.Load(); m != nil {
		return m
	}
	m := new(machine.RWMutex)
	m.Init("ffsb_file")
	if f.lock.CompareAndSwap(nil, m) {
		return m
	}
	return f.lock.Load()
}

// cached is the dispatch path behind a page cache, for buffered I/O.
type cached struct {
	path
	params *param.Set
	cache  *pagecache.Cache
}

func newCached(sys *dispatch.System, p *param.Set) cached {
	return cached{path{sys}, p, pagecache.New(sys, p)}
}

func (c cached) port(t *machine.Thread) port {
	iss := c.sys.NewIssuer(t)
	return &cachedPort{c: c, iss: iss, plug: block.NewPlug(c.sys, iss, c.params), files: map[int]*pagecache.File{}}
}

// cachedPort does what it is asked at once: a buffered call that has to wait
// waits inside. Each thread has one place in read-ahead a device, as though it
// kept one file open there; files that lie one behind the other are read ahead
// across their ends.
type cachedPort struct {
	c     cached
	iss   *dispatch.Issuer
	plug  *block.Plug
	files map[int]*pagecache.File
	order []int // of files
	err   error
}

func (p *cachedPort) submit(t *machine.Thread, dev int, op dispatch.Op, sector int64, sectors int, _ []byte) {
	f := p.files[dev]
	if f == nil {
		f = p.c.cache.Open(p.c.sys.Devices()[dev], p.plug)
		p.files[dev] = f
		p.order = append(p.order, dev)
	}
	var err error
	switch op {
	case dispatch.Read:
		err = f.Read(t, sector*sectorSize, sectors*sectorSize)
	case dispatch.Write:
		err = f.Write(t, sector*sectorSize, sectors*sectorSize)
	default:
		if err = f.Sync(t); err == nil {
			err = p.iss.Do(t, p.c.sys.Devices()[dev], op, sector, sectors, 0, nil)
		}
	}
	if p.err == nil {
		p.err = err
	}
}

func (p *cachedPort) wait(*machine.Thread) error {
	err := p.err
	p.err = nil
	return err
}

// finish lets end what was read ahead or is being written back.
func (p *cachedPort) finish(t *machine.Thread) error {
	for _, dev := range p.order {
		if err := p.files[dev].Close(t); err != nil {
			return err
		}
	}
	return nil
}
