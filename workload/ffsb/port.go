package ffsb

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

const sectorSize = dispatch.SectorSize

// device is what a file system needs to know of a device.
type device struct {
	name    string
	sectors int64
	most    int // sectors in one request
}

func (d device) blocks() int64 { return d.sectors / sectorsPerBlock }

// storage is where requests go: the dispatch path, or a test's own.
type storage interface {
	devices() []device
	// port is a thread's own way to the devices.
	port(t *machine.Thread) port
}

// port sends requests for one thread.
type port interface {
	// submit sends one; data may be nil where contents do not matter.
	submit(t *machine.Thread, dev int, op dispatch.Op, sector int64, sectors int, data []byte)
	// wait waits for all that were submitted, and returns their first error.
	wait(t *machine.Thread) error
}

// path is the dispatch path as storage.
type path struct{ sys *dispatch.System }

func (p path) devices() []device {
	all := p.sys.Devices()
	devs := make([]device, len(all))
	for i, d := range all {
		// A direct request's memory is pages that need not lie next to each
		// other: each is a scatter/gather entry of its own.
		devs[i] = device{name: d.Name(), sectors: d.Capacity, most: min(d.MaxSectors(), d.MaxSegments()*sectorsPerBlock)}
	}
	return devs
}

func (p path) port(t *machine.Thread) port {
	return &pathPort{devs: p.sys.Devices(), iss: p.sys.NewIssuer(t)}
}

type pathPort struct {
	devs    []*dispatch.Device
	iss     *dispatch.Issuer
	pending []*dispatch.Request
}

func (p *pathPort) submit(t *machine.Thread, dev int, op dispatch.Op, sector int64, sectors int, data []byte) {
	segments := (sectors + sectorsPerBlock - 1) / sectorsPerBlock
	rq := p.iss.Request(p.devs[dev], op, sector, sectors, segments, data)
	p.iss.Submit(t, rq)
	p.pending = append(p.pending, rq)
}

func (p *pathPort) wait(t *machine.Thread) (first error) {
	for _, rq := range p.pending {
		if err := p.iss.Wait(t, rq); err != nil && first == nil {
			first = err
		}
	}
	p.pending = p.pending[:0]
	return first
}
