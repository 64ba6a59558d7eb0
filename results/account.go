package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"hostlock/machine"
)

// hostLockClass and cacheLine are classes of contention: the published one,
// and all cache lines together.
const (
	hostLockClass = "host_lock"
	cacheLine     = "cache_line"
)

// budgetSlack is how far a budget may be from 100, in percent.
const budgetSlack = 0.1

// Measured is what a machine's account says, as parts of a result.
type Measured struct {
	CPU      CPU // host-lock figures from the account; those of a profile replace them
	Counters Counters
	Locks    []Lock
}

// FromAccount turns an account into budget, contention, counters and locks.
// It is an error if the budget does not close: time that is counted twice or
// not at all makes every share wrong.
func FromAccount(a *machine.Account) (Measured, error) {
	m := Measured{Locks: locksOf(a)}
	total := float64(a.Cores) * float64(a.Window)
	if total <= 0 {
		return m, fmt.Errorf("nothing was measured: %d cores over %v", a.Cores, a.Window)
	}
	var budget budget
	var idle time.Duration
	spins := map[string]time.Duration{}
	var lines time.Duration
	for _, s := range a.Samples {
		if s.Time == 0 {
			continue // what locks did to others, not what the core did
		}
		budget.add(s)
		switch s.What {
		case machine.Idle:
			idle += s.Time
		case machine.Spinning:
			spins[s.Class] += s.Time
		case machine.LineWait, machine.Retrying:
			lines += s.Time
		}
	}
	m.CPU.Budget = budget.shares(total)
	busy := total - float64(idle)
	pct := func(d time.Duration) float64 {
		if busy <= 0 {
			return 0
		}
		return 100 * float64(d) / busy
	}
	m.CPU.Busy = 100 * busy / total
	m.CPU.HostLock = pct(spins[hostLockClass])
	classes := sortedKeys(spins)
	for _, class := range classes {
		m.CPU.Contention += pct(spins[class])
		m.CPU.ContentionByClass.Set(class, pct(spins[class]))
	}
	m.CPU.Contention += pct(lines)
	m.CPU.ContentionByClass.Set(cacheLine, pct(lines))
	m.Counters.Contention = pct(lines)
	for _, l := range a.Locks {
		// A lock whose waiters sleep costs the cores nothing; only classes
		// that somebody spun on count.
		if _, spun := spins[l.Class]; spun {
			w := pct(l.Within)
			m.Counters.Contention += w
			if l.Class == hostLockClass {
				m.Counters.HostLock = w
			}
		}
	}
	return m, CheckBudget(m.CPU.Budget)
}

// CheckBudget is an error where the rows do not add up to 100 +- 0.1 %.
func CheckBudget(b Shares) error {
	sum := 0.0
	for _, e := range b {
		if e.Value < -1e-9 || math.IsNaN(e.Value) {
			return fmt.Errorf("the budget's row %s is %g %%", e.Name, e.Value)
		}
		sum += e.Value
	}
	if math.Abs(sum-100) > budgetSlack {
		return fmt.Errorf("the budget does not close: its rows add up to %.3f %% of cores x time", sum)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// locksOf is lock_stat's table, by contentions, the most first, as the kernel
// sorts it.
func locksOf(a *machine.Account) []Lock {
	locks := make([]Lock, 0, len(a.Locks))
	for _, s := range a.Locks {
		locks = append(locks, Lock{
			Class: s.Class, Acquisitions: s.Acquisitions, Contentions: s.Contentions,
			ConBounces: s.ConBounces, AcqBounces: s.AcqBounces,
			Wait: timesOf(s.Wait), Hold: timesOf(s.Hold), HoldSampled: s.HoldSampled,
			Waiters: points(a.Samples, s.Class, func(x machine.Sample) int64 {
				if x.What == machine.Spinning {
					return x.Count
				}
				return 0
			}),
			Holders: points(a.Samples, s.Class, func(x machine.Sample) int64 { return x.Holds }),
		})
	}
	slices.SortStableFunc(locks, func(a, b Lock) int {
		return cmp.Or(cmp.Compare(b.Contentions, a.Contentions), cmp.Compare(a.Class, b.Class))
	})
	return locks
}

func timesOf(e machine.Extremes) Times {
	return Times{Min: int64(e.Min), Max: int64(e.Max), Total: int64(e.Total), Avg: int64(e.Avg())}
}

// points adds up a lock's samples by section, the most first.
func points(samples []machine.Sample, class string, count func(machine.Sample) int64) []Point {
	by := map[string]int64{}
	for _, s := range samples {
		if s.Class == class {
			if n := count(s); n > 0 {
				by[s.Section] += n
			}
		}
	}
	out := make([]Point, 0, len(by))
	for _, section := range sortedKeys(by) {
		out = append(out, Point{section, by[section]})
	}
	slices.SortStableFunc(out, func(a, b Point) int { return cmp.Compare(b.Count, a.Count) })
	return out
}
