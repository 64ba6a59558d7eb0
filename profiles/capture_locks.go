package profiles

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"github.com/google/pprof/profile"
)

// LockCapture is a pair of the runtime's own lock profiles that is being
// taken.
type LockCapture struct {
	dir      string
	info     Info
	fraction int // of the mutex profile before
	before   map[string]*profile.Profile
}

// LockRates say how densely the runtime's lock profiles sample. The zero
// value takes every event.
type LockRates struct {
	// Mutex records one of so many contentions on average.
	Mutex int
	// Block records one event per so many nanoseconds of blocking on average.
	Block int
}

// StartLocks begins the runtime's mutex and block profiles. Neither can see
// an atomic spinlock; both see a lock of kind mutex, and blame differently:
// mutex the holder at its Unlock, block the waiter at its Lock. Delay sums are
// no measure of lost CPU time, and may rise when a fix is right.
//
// The runtime counts from the start of the process; what was there before is
// taken off again.
func StartLocks(dir string, rates LockRates, info Info) (*LockCapture, error) {
	c := &LockCapture{dir: dir, info: info, before: map[string]*profile.Profile{}}
	for _, kind := range []string{KindMutex, KindBlock} {
		p, err := lookup(kind)
		if err != nil {
			return nil, err
		}
		c.before[kind] = p
	}
	c.fraction = runtime.SetMutexProfileFraction(max(rates.Mutex, 1))
	runtime.SetBlockProfileRate(max(rates.Block, 1))
	return c, nil
}

// Stop ends both, writes them into the directory, if there is one, and
// returns them by kind. The block profile is off afterwards, whatever it was
// before, since the runtime does not say.
func (c *LockCapture) Stop() (map[string]*Captured, error) {
	runtime.SetMutexProfileFraction(c.fraction)
	runtime.SetBlockProfileRate(0)
	all := map[string]*Captured{}
	for _, kind := range []string{KindMutex, KindBlock} {
		after, err := lookup(kind)
		if err != nil {
			return nil, err
		}
		p, err := since(after, c.before[kind])
		if err != nil {
			return nil, fmt.Errorf("%s profile: %w", kind, err)
		}
		got := &Captured{Profile: p}
		if c.dir != "" {
			got.Path = filepath.Join(c.dir, FileName(c.info, kind))
		}
		info := c.info
		info.Figures = "real time, sampled by the runtime's " + kind + " profile"
		if err := got.keep(info); err != nil {
			return nil, err
		}
		all[kind] = got
	}
	return all, nil
}

func lookup(kind string) (*profile.Profile, error) {
	var buf bytes.Buffer
	if err := pprof.Lookup(kind).WriteTo(&buf, 0); err != nil {
		return nil, fmt.Errorf("%s profile: %w", kind, err)
	}
	p, err := profile.ParseData(buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s profile: %w", kind, err)
	}
	return p, nil
}

// since is what after has and before has not; merging drops what cancels out.
func since(after, before *profile.Profile) (*profile.Profile, error) {
	before.Scale(-1)
	p, err := profile.Merge([]*profile.Profile{after, before})
	if err != nil {
		return nil, err
	}
	// Merging adds the times up; the first is of the whole process.
	p.TimeNanos = before.TimeNanos
	p.DurationNanos = after.TimeNanos - before.TimeNanos
	return p.Compact(), nil
}
