package profiles

import (
	"bytes"
	"fmt"
	"hostlock/machine/computer"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
)

// Rates of the CPU profiler, in samples a second of CPU time.
const (
	DefaultRate = 100
	// MaxRate is what the Go runtime accepts without harm. A kernel that
	// checks CPU timers on its tick delivers no more than HZ of them (often
	// 250): above that, shares stay right and times come out too small, which
	// [Captured.Warning] says.
	MaxRate = 1000
)

// Captured is a finished live profile.
type Captured struct {
	Path    string // "" where none was asked for
	Profile *profile.Profile
	// CPU is the CPU time that the profile accounts for, Process what the
	// system charged to this process meanwhile (0 where it does not say).
	// Only CPU profiles have them.
	CPU, Process time.Duration
	// Warning is one line on what is wrong with the profile, or "".
	Warning string
}

// CPUCapture is a CPU profile of this process that is being taken.
type CPUCapture struct {
	path string
	info Info
	buf  bytes.Buffer
	used time.Duration
}

// StartCPU begins a genuine CPU profile of this process. A rate of 0 means
// DefaultRate. Any other rate than that makes the runtime print
//
//	runtime: cannot set cpu profile rate until previous profile has finished.
//
// on stderr, which is harmless: runtime/pprof tries to set its own rate and
// is refused. Only one CPU profile can be taken at a time.
func StartCPU(path string, rate int, info Info) (*CPUCapture, error) {
	if rate == 0 {
		rate = DefaultRate
	}
	if rate < 1 || rate > MaxRate {
		return nil, fmt.Errorf("CPU profile rate %d Hz: legal is 1 to %d, and 0 for %d", rate, MaxRate, DefaultRate)
	}
	c := &CPUCapture{path: path, info: info}
	c.info.Figures = fmt.Sprintf("real time, sampled by runtime/pprof at %d Hz a core", rate)
	if rate != DefaultRate {
		runtime.SetCPUProfileRate(rate)
	}
	c.used, _ = computer.ProcessCPU() // 0 where the system does not say: nothing is checked then
	if err := pprof.StartCPUProfile(&c.buf); err != nil {
		if rate != DefaultRate {
			runtime.SetCPUProfileRate(0)
		}
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	return c, nil
}

// minChecked is how much CPU time it takes before the profile's own total is
// held against the system's: a hundred samples at the default rate.
const minChecked = time.Second

// Stop ends the profile, writes it with its comments (samples untouched) to
// the path, if there is one, and returns it.
func (c *CPUCapture) Stop() (*Captured, error) {
	pprof.StopCPUProfile()
	now, _ := computer.ProcessCPU()
	used := now - c.used
	p, err := profile.ParseData(c.buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	got := &Captured{Path: c.path, Profile: p, Process: used}
	if i, unit, err := cpuValue(p); err == nil {
		for _, s := range p.Sample {
			got.CPU += time.Duration(s.Value[i] * unit)
		}
	}
	if used >= minChecked && (float64(got.CPU) < 0.9*float64(used) || float64(got.CPU) > 1.1*float64(used)) {
		got.Warning = fmt.Sprintf("CPU profile accounts for %.2f s of the %.2f s of CPU time used: its times are off, its shares are not; try a lower rate",
			got.CPU.Seconds(), used.Seconds())
	}
	return got, got.keep(c.info)
}

// keep adds the comments and writes the file.
func (c *Captured) keep(info Info) error {
	if c.Warning != "" {
		info.Notes = append(info.Notes[:len(info.Notes):len(info.Notes)], c.Warning)
	}
	c.Profile.Comments = append(c.Profile.Comments, info.comments()...)
	if c.Path == "" {
		return nil
	}
	return WriteFile(c.Path, c.Profile)
}
