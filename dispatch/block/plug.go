package block

import (
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Plug is one thread's list of requests that wait to be merged, and those
// that are on their way. Only its thread uses it.
type Plug struct {
	iss     *dispatch.Issuer
	limits  []Limits // by device
	pageCPU time.Duration
	list    []*request
	flying  []*request
	free    []*request
	flown   Count
	ring    *Ring // nil: what is flushed is waited for
}

// Count is what a plug has handed to the devices.
type Count struct {
	Requests int64
	Segments int64 // entries of their tables
	Sectors  int64
}

// Minus is what came after o.
func (c Count) Minus(o Count) Count {
	return Count{c.Requests - o.Requests, c.Segments - o.Segments, c.Sectors - o.Sectors}
}

// NewPlug makes the plug of a thread. p has [Params] declared.
func NewPlug(sys *dispatch.System, iss *dispatch.Issuer, p *param.Set) *Plug {
	pl := &Plug{iss: iss, pageCPU: p.Duration("block.page_cpu")}
	for _, d := range sys.Devices() {
		l := LimitsOf(d, p)
		if p.Choice("block.segment_limit") == "none" {
			l.MaxPhysSegments, l.MaxHWSegments = 1<<30, 1<<30
		}
		pl.limits = append(pl.limits, l)
	}
	return pl
}

// Limits are those of a device's queue.
func (p *Plug) Limits(d *dispatch.Device) *Limits { return &p.limits[d.ID] }

// Submit merges a bio into a request of the list, or begins one with it
// (__make_request). What a front merge makes neighbours is joined
// (attempt_front_merge), and the same behind.
func (p *Plug) Submit(t *machine.Thread, b *Bio) {
	if p.pageCPU > 0 {
		t.Work(time.Duration(len(b.Vecs)) * p.pageCPU)
	}
	l := p.Limits(b.Device)
	// The newest first: it is the likeliest neighbour.
	for i := len(p.list) - 1; i >= 0; i-- {
		r := p.list[i]
		if r.back(l, b) || r.front(l, b) {
			p.joinAround(l, i)
			return
		}
	}
	r := p.take()
	r.init(b)
	p.list = append(p.list, r)
}

// joinAround joins the i-th request, which has grown, with one before or
// behind it.
func (p *Plug) joinAround(l *Limits, i int) {
	for j, n := range p.list {
		r := p.list[i]
		gone := j
		if j == i || !r.join(l, n) {
			if j == i || !n.join(l, r) {
				continue
			}
			gone = i
		}
		p.give(p.list[gone])
		p.list = append(p.list[:gone], p.list[gone+1:]...)
		return
	}
}

// Flush hands the list to the devices' queues, oldest first
// (blk_flush_plug_list).
func (p *Plug) Flush(t *machine.Thread) {
	for i, r := range p.list {
		r.segments = r.mapped(p.Limits(r.dev))
		r.rq = p.iss.Request(r.dev, r.op, r.sector, r.sectors, r.segments, nil)
		r.rq.End = r.end
		p.flown.Requests++
		p.flown.Segments += int64(r.segments)
		p.flown.Sectors += int64(r.sectors)
		if p.ring != nil {
			r.rq.Collected, r.rq.End = true, r.ringed
		} else {
			p.flying = append(p.flying, r)
		}
		p.list[i] = nil
		p.iss.Submit(t, r.rq)
	}
	p.list = p.list[:0]
}

// Flown is what Flush has handed over since the plug was made.
func (p *Plug) Flown() Count { return p.flown }

// Flying is how many requests are on their way, or done and not reaped.
func (p *Plug) Flying() int { return len(p.flying) }

// Wait waits for everything that was flushed, and returns the first error in
// the order of submission.
func (p *Plug) Wait(t *machine.Thread) (first error) {
	for i, r := range p.flying {
		if err := p.iss.Wait(t, r.rq); err != nil && first == nil {
			first = err
		}
		p.give(r)
		p.flying[i] = nil
	}
	p.flying = p.flying[:0]
	return first
}

// Reap takes back what is done, without waiting, and returns the first error.
func (p *Plug) Reap(t *machine.Thread) (first error) {
	kept := p.flying[:0]
	for _, r := range p.flying {
		if !p.iss.Done(r.rq) {
			kept = append(kept, r)
			continue
		}
		if err := p.iss.Wait(t, r.rq); err != nil && first == nil {
			first = err
		}
		p.give(r)
	}
	clear(p.flying[len(kept):])
	p.flying = kept
	return first
}

func (p *Plug) take() *request {
	if n := len(p.free); n > 0 {
		r := p.free[n-1]
		p.free = p.free[:n-1]
		return r
	}
	r := &request{}
	r.end = r.finish
	if p.ring != nil {
		ring := p.ring
		r.ringed = func(t *machine.Thread, err error) { ring.end(t, r, err) }
	}
	return r
}

func (p *Plug) give(r *request) {
	clear(r.bios)
	r.bios = r.bios[:0]
	p.free = append(p.free, r)
}
