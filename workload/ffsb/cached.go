package ffsb

import (
	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/machine/param"
)

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
