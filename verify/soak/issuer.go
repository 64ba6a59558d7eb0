package soak

import (
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/machine"
)

// issuer is one thread that issues commands, with its own count of them, apart
// from the path's ledger.
type issuer struct {
	s    *soak
	rqs  []*dispatch.Request // under way, oldest first
	_    [64]byte
	sent atomic.Int64
	back atomic.Int64
	bad  atomic.Int64 // of them with an error
	_    [64]byte
}

const sectors = 8 // of a command

// run claims commands, a batch at a time, until there are no more.
func (i *issuer) run(t *machine.Thread) {
	iss := i.s.sys.NewIssuer(t)
	devs := i.s.sys.Devices()
	i.rqs = make([]*dispatch.Request, 0, i.s.cfg.Depth)
	for n := i.s.claim(); n > 0; n = i.s.claim() {
		for range n {
			if len(i.rqs) == cap(i.rqs) {
				i.wait(t, iss)
			}
			r := t.Rand().Uint64()
			op := dispatch.Op(r & 1) // read or write
			dev := devs[r>>1%uint64(len(devs))]
			rq := iss.Request(dev, op, int64(r>>40)%(dev.Capacity/sectors)*sectors, sectors, 1, nil)
			i.sent.Add(1)
			iss.Submit(t, rq)
			i.rqs = append(i.rqs, rq)
		}
	}
	for len(i.rqs) > 0 {
		i.wait(t, iss)
	}
	i.s.leave()
}

// wait waits for the oldest command.
func (i *issuer) wait(t *machine.Thread, iss *dispatch.Issuer) {
	if iss.Wait(t, i.rqs[0]) != nil {
		i.bad.Add(1)
	}
	i.back.Add(1)
	i.rqs = append(i.rqs[:0], i.rqs[1:]...)
}
