// Package bound says what a finished run was bounded by, with its arithmetic:
// what each resource would allow if commands never had to wait for another one,
// and how much a quarter more of each would give.
package bound

import (
	"cmp"
	"math"
	"slices"

	"hostlock/results"
)

// Use is what a finished run says of its resources. Rates are per second, times
// are seconds, and numbers are means over the window.
type Use struct {
	Rate    float64 // commands completed
	Threads int
	Cores   int
	Hosts   int
	Devices int // that had anything to do

	CanQueue  int    // slots of a host; 0 is no limit
	Depth     int    // slots of a device; 0 is no limit
	DepthName string // the parameter that sets it

	InFlight float64 // commands that hold a slot
	Waiting  float64 // requests queued for one
	Ready    float64 // threads that wait for a core
	Working  float64 // cores busy, waiting for others apart
	Spin     float64 // cores that wait for a lock or a line

	// InSlot and SpinInSlot are the parts of Working and Spin that a command which
	// holds a slot waits for; Known is that they could be told.
	InSlot, SpinInSlot float64
	Known              bool

	Service  float64 // time that a command needs of its device
	HeldBack float64 // time that the adapter keeps a reply back
	Channels int     // commands that a device works on at a time; 0 is all it gets
	Shared   bool    // the devices of a host share them

	Locks []Lock
	Lines []Line
	// Interrupts is the share of time that the busiest core spends in handlers of
	// hardware interrupts, Core is which, PerInterrupt their time for a command.
	Interrupts    float64
	Core          int
	InterruptName string
}

// Lock is what the locks of a class did.
type Lock struct {
	Class      string
	Count      int
	Utilized   float64 // of one lock: held, or on its way to the next holder
	Hold       float64 // mean, seconds
	Handoff    float64 // mean over all acquisitions, seconds
	PerCommand float64 // acquisitions
}

// Line is what the cache lines of a class did, as far as they had to move.
type Line struct {
	Class      string
	Utilized   float64 // of the busiest line
	Turn       float64 // mean time that one access keeps it busy, seconds
	PerCommand float64 // turns, at all lines of the class
}

// Names of what is no parameter and no class of lock.
const (
	CPU    = "cpu"
	Device = "device"
	Load   = "load"
	// None is said where a quarter more of no resource gives Least.
	None = results.NoSingleBound
	// CanQueue is the host's limit.
	CanQueue = "host.can_queue"
)

// More is how much more of each resource is thought of, and Least what it must
// give, in percent of the rate, to be called a bound.
const (
	More  = 1.25
	Least = 3.0
)

// limit is what one resource allows.
type limit struct {
	by   string
	used float64 // share of it that the run used, 0 to 1; the limit is the rate over that
	more func(m *model)
	why  func(m *model) string
}

// model is a run's resources, to be worked out anew with more of one of them.
type model struct {
	Use
	slot    float64 // time that a command holds a slot where nothing else is waited for
	cycle   float64 // time from one command of a thread to the next, the same
	working float64 // processor time of a command
	limits  []limit
}

// power is how sharply the smallest limit rules. Throughput is taken to be
// the power mean of all limits, (sum limit^-p)^(-1/p): the smallest of them for p
// without end, and for p = 1 what a closed loop of random visits to equal
// stations comes to. A run tells its own p, since its shares must then fulfil
// sum share^p = 1.
func power(limits []limit) float64 {
	if len(limits) < 2 {
		return 1
	}
	sum := func(p float64) (s float64) {
		for _, l := range limits {
			s += math.Pow(l.used, p)
		}
		return s
	}
	lo, hi := 0.25, 64.0
	if sum(hi) >= 1 {
		return hi
	}
	for range 60 {
		mid := (lo + hi) / 2
		if sum(mid) > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// Gain is what a quarter more of a resource is expected to give, in percent.
type Gain struct {
	By    string
	Limit float64 // commands a second that it allows by itself
	Pct   float64
	Why   string // the limit's arithmetic

	used    float64
	latency bool
}

// Gains lists what each resource allows and would give: first what bounds the run,
// then by what they give.
//
// A device that works on all it gets is no limit: how long it takes tells how many
// commands a second the slots or the threads come to. So it comes behind them,
// though a faster one would give nearly as much, unless several of them bind at
// once and only it would help.
func Gains(u Use) []Gain {
	if u.Rate <= 0 || u.Threads <= 0 || u.Cores <= 0 {
		return nil
	}
	m := newModel(u)
	p := power(m.limits)
	was := m.rate(p)
	var out []Gain
	for _, l := range m.limits {
		more := newModel(u)
		l.more(more)
		g := Gain{By: l.by, Limit: u.Rate / l.used, used: l.used, Why: l.why(m), Pct: 100 * (more.rate(p)/was - 1)}
		if g.latency = l.by == Device && u.Channels == 0; g.latency {
			g.used = m.mostUsed(CanQueue, m.DepthName, Load)
			g.Limit = u.Rate / g.used
		}
		out = append(out, g)
	}
	rank := func(g Gain) float64 {
		if g.latency {
			return g.Pct - Least
		}
		return g.Pct
	}
	slices.SortStableFunc(out, func(a, b Gain) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.used, a.used))
	})
	return out
}

// rate is the power mean of all limits, over the run's own rate.
func (m *model) rate(p float64) float64 {
	s := 0.0
	for _, l := range m.limits {
		s += math.Pow(l.used, p)
	}
	return math.Pow(s, -1/p)
}

func (m *model) mostUsed(names ...string) float64 {
	most := least
	for _, l := range m.limits {
		if slices.Contains(names, l.by) {
			most = max(most, l.used)
		}
	}
	return most
}

// Of says what bounds a run and what would be next; nil where nothing ran.
func Of(u Use) *results.Bound {
	gains := Gains(u)
	if len(gains) == 0 {
		return nil
	}
	first, others := gains[0], gains[1:]
	b := &results.Bound{By: first.By, Limit: first.Limit, Reached: 100 * first.used, Why: first.Why, Gain: first.Pct}
	if first.Pct < Least {
		b.By, b.Nearest = None, first.By
	}
	// Next is the lowest of the other limits: where the rate would end if there
	// were plenty of the first.
	for _, g := range others {
		if !g.latency && (b.Next == nil || g.Limit < b.Next.Limit) {
			b.Next = &results.NextBound{By: g.By, Limit: g.Limit}
		}
	}
	return b
}
