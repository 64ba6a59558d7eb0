package machine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sort"
	"strings"
)

// LiveConfig is what a live machine is made of. The zero value is this
// computer at real speed with test-and-set locks.
type LiveConfig struct {
	// Cores must be what GOMAXPROCS is, or 0, which means that. More
	// goroutines' processors than real ones would measure the preemption of
	// lock holders, and fewer another computer than this one.
	Cores int
	// Seed is what the threads' random sub-streams derive from.
	Seed uint64
	// LockKinds is the algorithm by class of lock; a class that is not there
	// has TAS. Only TAS and Mutex are real here: a fair queue of goroutines
	// collapses for good once one that holds a place in it is not running.
	LockKinds map[string]Kind
	// Calibration is the burn iterations per real microsecond, as Calibrate
	// measures them; 0 means this process's own measurement. All variants of
	// a comparison must share one: two calibrations differ by up to 5 %, and
	// with them the work that the variants do.
	Calibration float64
	// IdlePollers keeps every core awake with a goroutine that yields all the
	// time. Without them a core with nothing to run sleeps in the kernel, by
	// whole milliseconds, and timers that fall due meanwhile are late. They
	// fill the idle time of a CPU profile with idlePoll. A polled core does not
	// steal goroutines from others: threads that wake from a Completion or from
	// Sleep are spread over the cores for that, but those that wake with a lock
	// of kind Mutex or an RWMutex in their hands are not, and wait for the core
	// that released it. Measure sleeping locks without pollers.
	IdlePollers bool
	// SpinLimit replaces DefaultSpinLimit.
	SpinLimit int
	// Labels gives the profiler labels that a goroutine carries while it spins
	// on a class of lock in a section ("" outside any). It is called once for
	// each place a thread spins in, the context is kept. nil means no labels.
	Labels func(class, section string) context.Context
	// BaseLabels are the labels that a thread has when it does not spin; nil
	// means none. They are set only where Labels is.
	BaseLabels context.Context
}

// complete fills in what was left out, and refuses what cannot be run here.
func (c *LiveConfig) complete() error {
	procs := runtime.GOMAXPROCS(0)
	if c.Cores == 0 {
		c.Cores = procs
	}
	switch {
	case c.Cores != procs:
		return fmt.Errorf("live runs on this computer's %d cores, not on %d; use the simulator for another number", procs, c.Cores)
	case procs > runtime.NumCPU():
		return fmt.Errorf("GOMAXPROCS is %d on %d processors: what would be measured is the preemption of lock holders; legal: %d or less",
			procs, runtime.NumCPU(), runtime.NumCPU())
	}
	var unreal []string
	for class, kind := range c.LockKinds {
		if kind != TAS && kind != Mutex {
			unreal = append(unreal, class+"="+kind.String())
		}
	}
	if len(unreal) > 0 {
		sort.Strings(unreal)
		return fmt.Errorf("not a lock kind of the live machine: %s; legal: %v, %v", strings.Join(unreal, ", "), TAS, Mutex)
	}
	if c.Calibration < 0 || math.IsNaN(c.Calibration) || math.IsInf(c.Calibration, 0) {
		return fmt.Errorf("calibration %v; legal: iterations per microsecond, or 0 to measure them", c.Calibration)
	}
	if c.Calibration == 0 {
		c.Calibration = processCalibration()
	}
	if c.SpinLimit < 0 {
		return fmt.Errorf("spin limit %d; legal: 1 or more, or 0 for %d", c.SpinLimit, DefaultSpinLimit)
	}
	if c.SpinLimit == 0 {
		c.SpinLimit = DefaultSpinLimit
	}
	if c.BaseLabels == nil {
		c.BaseLabels = context.Background()
	}
	return nil
}
