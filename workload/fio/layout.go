package fio

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strconv"
	"strings"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/workload"
	"hostlock/workload/operand"
)

// region is the part of a file that a clone works on.
type region struct {
	dev  *dispatch.Device // nil with the null engine
	base int64            // bytes on the device
	span int64            // bytes
}

// clone is a job's copy: one thread.
type clone struct {
	*job
	number  int // over all jobs
	regions []region
	total   int64 // bytes that it moves, a pass
}

// layout puts the files of a load on the devices of a system.
type layout struct {
	devices []*dispatch.Device
	tool    *load
	raw     map[string]int     // names of block devices
	taken   map[int]bool       // devices that are named by their letter
	files   map[string]*extent // regular files
	next    int                // device of the next file
	end     []int64            // bytes used on each device
	notes   []string
}

type extent struct {
	dev  int
	base int64
	size int64
}

// place makes the clones of all jobs, so many of each.
func (w *load) place(env workload.Env, times func(j *job) int) ([]*clone, []string, error) {
	l := &layout{
		devices: env.System.Devices(), tool: w, raw: map[string]int{}, taken: map[int]bool{}, files: map[string]*extent{},
		end: make([]int64, len(env.System.Devices())),
	}
	for _, j := range w.jobs {
		for _, f := range j.files {
			if i, ok := operand.Device(f); ok && isRaw(f) {
				l.taken[i] = true
			}
		}
	}
	var out []*clone
	number := 0
	for _, j := range w.jobs {
		// Sizes that are drawn from a range are alike for all strategies.
		r := machine.Rand(env.Machine.Seed(), "fio/filesize/"+strconv.Itoa(number))
		for sub := range times(j) {
			c := &clone{job: j, number: number}
			number++
			if err := l.clone(c, sub, r); err != nil {
				return nil, nil, at(j.place, fmt.Errorf("job %s: %w", j.name, err))
			}
			out = append(out, c)
		}
	}
	return out, l.notes, nil
}

func isRaw(name string) bool { return strings.HasPrefix(name, "/dev/") }

// clone finds the regions of one clone.
func (l *layout) clone(c *clone, sub int, r *rand.Rand) error {
	j := c.job
	n := int64(j.nrfiles)
	for i := range j.nrfiles {
		name := l.name(c, i)
		whole := int64(maxBytes) // of the device
		dev, raw := 0, false
		if !j.engine.null {
			if raw = isRaw(name); raw {
				var err error
				if dev, err = l.device(name); err != nil {
					return err
				}
			}
			whole = l.devices[dev].Capacity * sector
		}
		file := j.fileSize[0]
		if j.fileSize[1] > file {
			file += r.Int64N(j.fileSize[1] - file + 1)
		}
		per := j.size.bytes / n
		if j.size.percent > 0 {
			per = j.size.of(whole)
			if file > 0 {
				per = j.size.of(file)
			}
		}
		length := max(file, per)
		if raw {
			length = whole
		} else if length == 0 {
			return fmt.Errorf("no size; legal: size=BYTES, or filesize=BYTES, or a device as filename")
		}
		start := j.offset.of(length) + j.increment.of(length)*int64(sub)
		if start >= whole || raw && start >= length {
			return fmt.Errorf("offset %d is beyond the end of %s, which has %d bytes; legal: less", start, name, length)
		}
		if j.direct && !j.engine.null && start%sector != 0 {
			return fmt.Errorf("offset %d with direct=1; legal: a multiple of %d", start, sector)
		}
		g := region{span: length}
		switch {
		case raw && per > 0:
			g.span = min(max(per, file), length-start)
		case raw:
			g.span = length - start
		case file > 0:
			g.span = max(length-start, 0)
		}
		if per == 0 {
			per = g.span
		}
		if g.span < j.smallest() {
			return fmt.Errorf("%d bytes of %s have no room for a block of %d", g.span, name, j.smallest())
		}
		if !j.engine.null {
			if !raw {
				e, err := l.file(name, start+g.span)
				if err != nil {
					return err
				}
				dev, g.base = e.dev, e.base
			}
			g.dev = l.devices[dev]
			g.base += start
		}
		c.regions = append(c.regions, g)
		c.total += min(per, g.span)
	}
	if j.ioSize.given {
		c.total = j.ioSize.of(c.total)
		if j.ioSize.percent == 0 && c.total < 1 {
			return fmt.Errorf("io_size=0 moves nothing; legal: 1 or more")
		}
	}
	return nil
}

// name is what a clone's file is called: clones whose names are alike share it.
func (l *layout) name(c *clone, i int) string {
	j := c.job
	dir := ""
	if len(j.directories) > 0 {
		dir = j.directories[c.number%len(j.directories)] + "/"
	}
	if len(j.files) > 0 {
		if name := j.files[i%len(j.files)]; isRaw(name) {
			return path.Clean(name)
		}
		return dir + j.files[i%len(j.files)]
	}
	format := j.format
	if format == "" {
		format = "$jobname.$jobnum.$filenum"
	}
	return dir + strings.NewReplacer("$jobname", j.name, "$jobnum", strconv.Itoa(c.number), "$filenum", strconv.Itoa(i)).Replace(format)
}

// device is which device of the system a block device's name stands for.
func (l *layout) device(name string) (int, error) {
	if i, ok := operand.Device(name); ok {
		if i >= len(l.devices) {
			return 0, fmt.Errorf("%s is device %d; legal: /dev/sda and on, as far as device %d", name, i, len(l.devices)-1)
		}
		return i, nil
	}
	if i, ok := l.raw[name]; ok {
		return i, nil
	}
	for i := range l.devices {
		if !l.taken[i] {
			l.taken[i] = true
			l.raw[name] = i
			l.notes = append(l.notes, fmt.Sprintf("fio: %s is device %d here", name, i))
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s: all %d devices have other names; legal: fewer names, or more LUNs", name, len(l.devices))
}

// file is where a regular file lies: in one piece, files on the devices in turn.
func (l *layout) file(name string, size int64) (*extent, error) {
	const unit = 1 << 20 // files begin at whole megabytes
	if e := l.files[name]; e != nil {
		if size <= e.size {
			return e, nil
		}
		// Another job's larger use of it: nothing else may lie behind.
		if l.end[e.dev] == roundUp(e.base+e.size, unit) {
			e.size = size
			return e, l.grow(e, name, unit)
		}
		return nil, fmt.Errorf("%s is used with %d bytes, and before with %d; legal: the largest first", name, size, e.size)
	}
	e := &extent{dev: l.next % len(l.devices), size: size}
	l.next++
	e.base = l.end[e.dev]
	l.files[name] = e
	if len(l.files) == 1 {
		l.notes = append(l.notes, "fio: files lie on the devices in turn, each in one piece; no file system is modelled")
	}
	return e, l.grow(e, name, unit)
}

func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

func (l *layout) grow(e *extent, name string, unit int64) error {
	l.end[e.dev] = roundUp(e.base+e.size, unit)
	if capacity := l.devices[e.dev].Capacity * sector; l.end[e.dev] > capacity {
		return fmt.Errorf("%s of %d bytes has no room on device %d, of which %d are taken; legal: files that fit device.capacity=%d",
			name, e.size, e.dev, e.base, capacity)
	}
	return nil
}
