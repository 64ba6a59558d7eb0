package fio

import (
	"errors"
	"fmt"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
)

// spend is processor time for one operation, and for a system call of its own
// where it has one.
func (th *thread) spend(call bool) {
	th.run.cost.io.Spend(th.t)
	if call {
		th.run.cost.call.Spend(th.t)
	}
}

// issue begins an operation, or carries it out where the engine does one at a
// time. It waits where the queue is full.
func (th *thread) issue(d, file int, off, n int64) {
	c := th.clone
	th.run.cost.loop.Spend(th.t)
	if th.ring == nil {
		op := &th.ops[0]
		*op = operation{dir: d, file: file, off: off, n: n, begun: th.t.Now(), bios: op.bios}
		th.note(op)
		th.mark(1, 1)
		th.finish(op, th.once(op))
		return
	}
	tag := th.free[len(th.free)-1]
	th.free = th.free[:len(th.free)-1]
	op := &th.ops[tag]
	op.dir, op.file, op.off, op.n, op.begun = d, file, off, n, th.t.Now()
	th.counts.inFlight++
	th.note(op)
	th.queued = append(th.queued, tag)
	if len(th.queued) >= c.batch {
		th.commit()
	}
	if th.counts.inFlight < c.depth {
		return
	}
	// Full: reap until iodepth_low are left.
	for low := max(min(c.reapMin, th.counts.inFlight), 1); ; low = max(min(c.reapMin, th.counts.inFlight), 1) {
		th.reap(low)
		if th.counts.inFlight <= c.low {
			return
		}
	}
}

// mark counts operations by how many are under way with them, as fio does when
// it submits.
func (th *thread) mark(n, depth int) {
	if th.counted() {
		th.sum.issued(int64(n), depth)
	}
}

func (th *thread) note(op *operation) {
	if th.run.trace != nil {
		th.run.trace(th, op)
	}
}

// commit submits what is queued, in one system call.
func (th *thread) commit() {
	if len(th.queued) == 0 {
		return
	}
	th.run.cost.call.Spend(th.t)
	th.mark(len(th.queued), th.counts.inFlight)
	before := th.plug.Flown().Requests
	for _, tag := range th.queued {
		op := &th.ops[tag]
		th.spend(false)
		bios, err := th.build(op, &op.bios)
		if err != nil {
			th.run.fail(fmt.Errorf("fio: %w", err))
			th.free = append(th.free, tag)
			th.counts.inFlight--
			continue
		}
		for _, b := range bios {
			b.Tag = tag
		}
		th.ring.Begin(tag, len(bios))
		for _, b := range bios {
			th.plug.Submit(th.t, b)
		}
	}
	th.queued = th.queued[:0]
	th.plug.Flush(th.t)
	if th.counted() {
		th.sum.handed += th.plug.Flown().Requests - before
	}
}

// reap takes operations back, at least low of them.
func (th *thread) reap(low int) {
	th.commit()
	th.run.cost.call.Spend(th.t)
	th.came = th.came[:0]
	th.ring.Reap(th.t, low, max(th.clone.reapMax, low), func(tag int, err error) {
		th.came = append(th.came, came{tag, err})
	})
	for _, x := range th.came {
		op := &th.ops[x.tag]
		th.counts.inFlight--
		th.free = append(th.free, x.tag)
		err := x.err
		if err == nil && op.dir == writes && th.clone.sync {
			err = th.flush(&th.clone.regions[op.file])
		}
		th.finish(op, err)
	}
}

// came is an operation that came back.
type came struct {
	tag int
	err error
}

// quiesce waits for all that is under way.
func (th *thread) quiesce() {
	for th.ring != nil && th.counts.inFlight > 0 {
		th.reap(th.counts.inFlight)
	}
}

// finish books the end of an operation.
func (th *thread) finish(op *operation, err error) {
	th.counts.done++
	if err != nil {
		th.failed(op.dir, fmt.Errorf("%v of %d bytes at %d: %w", [2]dispatch.Op{dispatch.Read, dispatch.Write}[op.dir], op.n, op.off, err))
		return
	}
	if th.counted() {
		th.sum.did[op.dir].count(op.n, th.t.Now()-op.begun)
	}
}

// failed counts an error that continue_on_error allows, and ends the run with
// another.
func (th *thread) failed(d int, err error) {
	if !th.clone.errorsOK[d] {
		th.run.fail(fmt.Errorf("fio: job %s: %w", th.clone.name, err))
		return
	}
	if th.counted() {
		th.sum.errors++
	}
}

// once carries one operation out, and waits for it.
func (th *thread) once(op *operation) error {
	c := th.clone
	if c.engine.null {
		return nil
	}
	g := &c.regions[op.file]
	th.spend(!c.engine.mmap)
	before := th.plug.Flown().Requests
	err := th.move(op, g)
	if th.counted() {
		th.sum.handed += th.plug.Flown().Requests - before
	}
	if err == nil && op.dir == writes && c.sync {
		err = th.flush(g)
	}
	return err
}

func (th *thread) move(op *operation, g *region) error {
	if th.clone.direct && !th.clone.engine.mmap {
		bios, err := th.build(op, &th.bios)
		if err != nil {
			return err
		}
		for _, b := range bios {
			th.plug.Submit(th.t, b)
		}
		th.plug.Flush(th.t)
		return th.plug.Wait(th.t)
	}
	f := th.cached(g)
	if op.dir == reads {
		return f.Read(th.t, g.base+op.off, int(op.n))
	}
	return f.Write(th.t, g.base+op.off, int(op.n))
}

// cached is the thread's open file on a device, in the page cache.
func (th *thread) cached(g *region) *pagecache.File {
	f := th.files[g.dev.ID]
	if f == nil {
		if th.files == nil {
			th.files = map[int]*pagecache.File{}
		}
		f = th.run.cache.Open(g.dev, th.plug)
		th.files[g.dev.ID] = f
	}
	return f
}

// build makes the bios of a direct operation, of memory of its own.
func (th *thread) build(op *operation, spare *[]*block.Bio) ([]*block.Bio, error) {
	g := &th.clone.regions[op.file]
	l := th.plug.Limits(g.dev)
	th.memory.Buffer()
	sectorAt, left, used := (g.base+op.off)/sector, int(op.n), 0
	kind := dispatch.Read
	if op.dir == writes {
		kind = dispatch.Write
	}
	for left > 0 {
		if used == len(*spare) {
			*spare = append(*spare, &block.Bio{})
		}
		b := (*spare)[used]
		used++
		b.Reset(kind, g.dev, sectorAt)
		for left > 0 {
			v := block.Vec{Addr: th.memory.Page(), Len: min(left, block.PageSize)}
			if !b.AddPage(l, v) {
				th.memory.Back()
				break
			}
			left -= v.Len
		}
		if b.Sectors() == 0 {
			return nil, dispatch.ErrTooLarge // not even a page fits
		}
		sectorAt += int64(b.Sectors())
	}
	if used == 0 {
		return nil, errors.New("an operation of no bytes")
	}
	return (*spare)[:used], nil
}

// flush writes dirty pages back where the job is buffered, and then flushes the
// device's own cache.
func (th *thread) flush(g *region) error {
	if g.dev == nil {
		return nil
	}
	if !th.clone.direct || th.clone.engine.mmap {
		if err := th.cached(g).Sync(th.t); err != nil {
			return err
		}
	}
	return th.iss.Do(th.t, g.dev, dispatch.Flush, 0, 0, 0, nil)
}
