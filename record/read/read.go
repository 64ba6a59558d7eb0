// Package read reads the mapped file of a recorded program: while it runs, after
// it ended, and after it was killed.
package read

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
	"unsafe"

	"hostlock/record/rt"
)

// Process is what one process recorded.
type Process struct {
	Pid, Procs int
	Go         string
	Command    string
	Ended      bool // it came to its end; what was killed or crashed did not
	Seconds    float64
	CPU        time.Duration
	GCCPU      time.Duration // by the runtime's own estimate
	Cycles     uint64
	MutexWait  time.Duration // /sync/mutex/wait/total
	Switches   int64         // involuntary
	Goroutines int
	Clock      time.Duration // between two readings of the clock
	PlainNs    float64       // of an acquisition that is counted
	SampledNs  float64       // of one that is timed
	Lost       uint64        // acquisitions beyond the table of sites
	Dropped    uint64        // samples whose place was taken
	Stale      uint64        // timed holds that never ended
	Unplaced   uint64        // samples of instances beyond the table
	Sites      []Site
}

// Site is one call that takes locks.
type Site struct {
	rt.Site
	Frames       []Frame // innermost first
	Acquisitions uint64
	Contended    uint64
	WaitNs       uint64
	TryFailed    uint64
	Locks        []rt.Instance
}

// Frame is one line of a stack.
type Frame struct {
	Function, File string
	Line           int
}

// A FormatError says that a file is no recording, or one of another layout.
type FormatError struct{ Path, Text string }

func (e *FormatError) Error() string { return e.Path + ": " + e.Text }

// File reads a recording. It returns a *FormatError for anything else.
func File(path string) (*Process, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// at copies a value out of the file, whose alignment is nobody's promise.
func at[T any](text []byte, offset int) T {
	var v T
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)), text[offset:])
	return v
}

// Parse is File for text that is in memory. A program that still runs changes
// it meanwhile: each figure is whole, their sums may be a sample apart.
func Parse(path string, text []byte) (*Process, error) {
	bad := func(format string, args ...any) (*Process, error) {
		return nil, &FormatError{path, fmt.Sprintf(format, args...)}
	}
	if len(text) < rt.HeaderSize {
		return bad("no recording: it has %d bytes, and the header alone has %d", len(text), rt.HeaderSize)
	}
	h := at[rt.Header](text, 0)
	if h.Magic != rt.Magic {
		return bad("no recording of this version of lab")
	}
	if h.Slots == 0 || h.Slots > 1<<14 || h.Size != uint64(len(text)) || rt.FileSize(int(h.Slots)) != len(text) {
		return bad("a broken recording: %d bytes do not hold %d processors", len(text), h.Slots)
	}
	if h.SitesUsed > rt.Sites || h.TextUsed > rt.TextSize {
		return bad("a broken recording: its tables are longer than they can be")
	}
	p := &Process{
		Pid: int(h.Pid), Procs: int(h.Procs), Go: cString(h.Go[:]), Command: cString(h.Command[:]),
		Ended: h.Ended != 0, Seconds: float64(max(h.Seen-h.Started, 0)) / 1e9,
		CPU: time.Duration(h.CPU - h.FirstCPU), GCCPU: time.Duration(h.GCCPU), Cycles: h.Cycles,
		MutexWait: time.Duration(h.MutexNs), Switches: h.Switches - h.FirstSwitches, Goroutines: int(h.Goroutines),
		Clock: time.Duration(h.ClockNs), PlainNs: float64(h.PlainPs) / 1000, SampledNs: float64(h.SampledPs) / 1000,
		Lost: h.Lost, Dropped: h.Dropped, Stale: h.Stale, Unplaced: h.Instances,
		Sites: make([]Site, h.SitesUsed),
	}
	names := text[rt.TextAt : rt.TextAt+rt.TextSize]
	for i := range p.Sites {
		s := &p.Sites[i]
		s.Site = at[rt.Site](text, rt.SitesAt+i*int(unsafe.Sizeof(rt.Site{})))
		if uint64(s.Text)+uint64(s.Length) > h.TextUsed || s.Kind > rt.Own {
			return bad("a broken recording: site %d of %d has no frames", i+1, h.SitesUsed)
		}
		s.Frames = frames(names[s.Text : s.Text+s.Length])
		for slot := range int(h.Slots) {
			c := at[rt.Cell](text, rt.CellsAt+(slot*rt.Sites+i)*int(unsafe.Sizeof(rt.Cell{})))
			s.Acquisitions += c.Acquisitions
			s.Contended += c.Contended
			s.WaitNs += c.WaitNs
			s.TryFailed += c.TryFailed
		}
	}
	for i := range rt.Instances {
		in := at[rt.Instance](text, rt.InstancesAt+i*int(unsafe.Sizeof(rt.Instance{})))
		if in.Site > 0 && in.Site <= h.SitesUsed {
			s := &p.Sites[in.Site-1]
			s.Locks = append(s.Locks, in)
		}
	}
	return p, nil
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// frames reads function, file and line, each ended by a zero.
func frames(text []byte) []Frame {
	var out []Frame
	parts := bytes.Split(text, []byte{0})
	for ; len(parts) >= 3; parts = parts[3:] {
		line, err := strconv.Atoi(string(parts[2]))
		if err != nil {
			break
		}
		out = append(out, Frame{string(parts[0]), string(parts[1]), line})
	}
	return out
}
