package pagecache

import (
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/machine"
)

// File is one thread's open device (struct file): its place in read-ahead, and
// its requests on the way. Only its thread uses it.
type File struct {
	c      *Cache
	m      *mapping
	plug   *block.Plug
	memory *block.Memory
	ra     window
	wait   machine.Completion
	last   int64 // last page of the device
}

var (
	secRead      = machine.NewSection("generic_file_aio_read")
	secWrite     = machine.NewSection("generic_file_aio_write")
	secReadAhead = machine.NewSection("ondemand_readahead")
)

// Open makes a thread's file of a device. The plug is the thread's own, and
// may serve several files.
func (c *Cache) Open(d *dispatch.Device, plug *block.Plug) *File {
	f := &File{
		c: c, m: &c.maps[d.ID], plug: plug, memory: block.NewMemory(c.params),
		ra:   window{max: c.readAhead, prev: -1},
		last: d.Capacity/block.PageSectors - 1,
	}
	f.wait.Init()
	return f
}

// Read reads bytes, waiting for what is not there.
func (f *File) Read(t *machine.Thread, off int64, n int) error {
	t.Enter(secRead)
	defer t.Leave()
	first, last := off/block.PageSize, (off+int64(n)-1)/block.PageSize
	for at := first; at <= last; at++ {
		if err := f.readPage(t, at, int(last-at)+1); err != nil {
			return err
		}
		f.copy(t, overlap(at, off, n))
		f.ra.prev = at
	}
	return f.plug.Reap(t)
}

// overlap is how many bytes of [off, off+n) lie on a page.
func overlap(page, off int64, n int) int {
	from := max(off, page*block.PageSize)
	to := min(off+int64(n), (page+1)*block.PageSize)
	return int(to - from)
}

func (f *File) copy(t *machine.Thread, bytes int) {
	t.Work(f.c.pageCPU + time.Duration(bytes)*f.c.copyKiB/1024)
}

// readPage waits until one page is there; want is how many the read still
// needs, this one included (do_generic_file_read).
func (f *File) readPage(t *machine.Thread, at int64, want int) error {
	for {
		off := f.m.enter(t)
		p := f.m.pages[at]
		switch {
		case p == nil:
			f.m.leave(t, off)
			f.readAhead(t, at, want, false)
			continue
		case p.marked:
			p.marked = false
			f.m.leave(t, off)
			f.readAhead(t, at, want, true)
			continue
		case p.uptodate:
			err := f.m.err
			f.m.leave(t, off)
			return err
		}
		p.waiters = append(p.waiters, &f.wait)
		f.m.leave(t, off)
		f.wait.Wait(t)
		off = f.m.enter(t)
		err := f.m.err
		f.m.leave(t, off)
		if err != nil {
			return err
		}
	}
}

// readAhead begins to read pages: a window, or what is asked for where the
// reader jumps about.
func (f *File) readAhead(t *machine.Thread, at int64, want int, hit bool) {
	t.Enter(secReadAhead)
	defer t.Leave()
	start, size, mark := at, want, int64(-1)
	if f.c.readAhead > 0 && f.ra.next(at, want, hit) {
		start, size = f.ra.start, f.ra.size
		mark = start + int64(size-f.ra.async)
	} else if hit {
		return
	}
	size = min(size, int(f.last-start)+1)
	var b *block.Bio
	l := f.plug.Limits(f.m.dev)
	f.memory.Buffer()
	for i := start; i < start+int64(size); i++ {
		off := f.m.enter(t)
		there := f.m.pages[i] != nil
		if !there {
			p := f.m.add(f.c, i)
			p.reading, p.marked = true, i == mark
		}
		f.m.leave(t, off)
		if there {
			b = f.submit(t, b)
			continue
		}
		t.Work(f.c.pageCPU)
		v := block.Vec{Addr: f.memory.Page(), Len: block.PageSize}
		if b != nil && !b.AddPage(l, v) {
			b = f.submit(t, b)
		}
		if b == nil {
			b = f.bio(dispatch.Read, i)
			b.AddPage(l, v)
		}
		b.Pages = append(b.Pages, i)
	}
	f.submit(t, b)
	f.plug.Flush(t)
}

// submit hands a bio over, if there is one.
func (f *File) submit(t *machine.Thread, b *block.Bio) *block.Bio {
	if b != nil {
		f.plug.Submit(t, b)
	}
	return nil
}

// bio begins a bio at a page. It comes back to the file when it is done.
func (f *File) bio(op dispatch.Op, at int64) *block.Bio {
	b := &block.Bio{}
	b.Reset(op, f.m.dev, at*block.PageSectors)
	m := f.m
	b.End = func(t *machine.Thread, err error) { m.ended(t, b, err) }
	return b
}

// ended is the end of a bio: its pages are there, or written
// (mpage_end_io).
func (m *mapping) ended(t *machine.Thread, b *block.Bio, err error) {
	off := m.enter(t)
	if err != nil && m.err == nil {
		m.err = err
	}
	for _, i := range b.Pages {
		p := m.pages[i]
		if b.Op == dispatch.Read {
			p.reading, p.uptodate = false, true
		} else {
			p.writeback = false
			m.back--
		}
		p.wakeAll(t)
	}
	if b.Op == dispatch.Write {
		m.wakeWriters(t)
	}
	m.leave(t, off)
}
