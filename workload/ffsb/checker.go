package ffsb

import (
	"fmt"
	"math"
	"sync"
)

// checker holds every sector read against the writes that can explain it: the
// one that it shows must not have been superseded before the read began. A
// write supersedes another if it began after the other had ended, and it has
// taken effect for a read that began after it ended.
//
// A write that failed may take effect at any time, and so never ends.
type checker struct {
	devs []checkedDevice
}

// checkedDevice has a clock of its own, which every beginning and end of a
// read or write on the device advances: only their order counts.
type checkedDevice struct {
	mu      sync.Mutex
	clock   uint64
	sectors map[int64]*history // sectors that were ever written
	reads   []uint64           // when reads that have not ended began; in no order
	checked int64
	faults  [faults]int64
	first   string // the first violation
}

// history is the writes to one sector that a read may still see. The state
// before the first write is write 0, which ended at time 0.
type history struct {
	writes []writing
}

// writing is one write to a sector, under the time at which it began.
type writing struct {
	began, ended uint64
}

const never = math.MaxUint64

func newChecker(devices int) *checker {
	c := &checker{devs: make([]checkedDevice, devices)}
	for i := range c.devs {
		c.devs[i].sectors = map[int64]*history{}
	}
	return c
}

// beginWrite books a write to sectors [at, at+n) and returns its sequence,
// which no other write to the device has.
func (c *checker) beginWrite(dev int, at int64, n int) (seq uint64) {
	d := &c.devs[dev]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock++
	for s := at; s < at+int64(n); s++ {
		h := d.sectors[s]
		if h == nil {
			h = &history{writes: []writing{{}}}
			d.sectors[s] = h
		}
		h.writes = append(h.writes, writing{began: d.clock, ended: never})
	}
	return d.clock
}

// endWrite books the end of a write that did not fail.
func (c *checker) endWrite(dev int, at int64, n int, seq uint64) {
	d := &c.devs[dev]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock++
	oldest := d.clock // every read to come begins later
	for _, r := range d.reads {
		oldest = min(oldest, r)
	}
	for s := at; s < at+int64(n); s++ {
		h := d.sectors[s]
		for i := range h.writes {
			if h.writes[i].began == seq {
				h.writes[i].ended = d.clock
			}
		}
		h.forget(oldest)
	}
}

// forget drops the writes that are superseded for every read from a time on.
func (h *history) forget(from uint64) {
	kept := h.writes[:0]
	newest := h.newest(from)
	for _, w := range h.writes {
		if w.ended >= newest {
			kept = append(kept, w)
		}
	}
	h.writes = kept
}

// newest is when the last write began of those that had ended by a time: what
// ended before that is superseded.
func (h *history) newest(by uint64) (began uint64) {
	for _, w := range h.writes {
		if w.ended <= by {
			began = max(began, w.began)
		}
	}
	return began
}

// beginRead books the beginning of a read and returns its time.
func (c *checker) beginRead(dev int) (began uint64) {
	d := &c.devs[dev]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock++
	d.reads = append(d.reads, d.clock)
	return d.clock
}

// endRead books its end and checks what it brought; data is nil where the read
// failed and brought nothing.
func (c *checker) endRead(dev int, at int64, data []byte, began uint64) {
	d := &c.devs[dev]
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, r := range d.reads {
		if r == began {
			d.reads[i] = d.reads[len(d.reads)-1]
			d.reads = d.reads[:len(d.reads)-1]
			break
		}
	}
	for ; len(data) > 0; data, at = data[sectorSize:], at+1 {
		seq, f := readStamp(data[:sectorSize], dev, at)
		if f == intact {
			f = d.sectors[at].judge(seq, began)
		}
		d.checked++
		d.faults[f]++
		if f != intact && d.first == "" {
			d.first = fmt.Sprintf("device %d sector %d: %s", dev, at, faultNames[f])
		}
	}
}

// judge says whether a read that began at a time may have seen a write.
func (h *history) judge(seq, began uint64) fault {
	if h == nil {
		if seq == 0 {
			return intact
		}
		return garbled
	}
	for _, w := range h.writes {
		if w.began == seq {
			if w.ended < h.newest(began) {
				return stale
			}
			return intact
		}
	}
	// It was forgotten, which happens only to what no read can see any more.
	return stale
}

// checked and violated are how many sectors were read, and read wrongly.
func (c *checker) checked() (n int64) {
	for i := range c.devs {
		n += c.devs[i].checked
	}
	return n
}

func (c *checker) violated() (n int64) {
	for i := range c.devs {
		for f, k := range c.devs[i].faults {
			if fault(f) != intact {
				n += k
			}
		}
	}
	return n
}

// err is one line about what was read wrongly, or nil.
func (c *checker) err() error {
	n := c.violated()
	if n == 0 {
		return nil
	}
	var all [faults]int64
	first := ""
	for i := range c.devs {
		for f, k := range c.devs[i].faults {
			all[f] += k
		}
		if first == "" {
			first = c.devs[i].first
		}
	}
	if all[untouched] == n {
		return fmt.Errorf("fs.verify: %d sectors were read without their data; legal: a driver that stores data, such as ramdisk", n)
	}
	return fmt.Errorf("fs.verify: %d of %d sectors read were wrong; the first: %s", n, c.checked(), first)
}
