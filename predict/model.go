package predict

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"hostlock/designs"
	"hostlock/lockload"
	"hostlock/locks"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/record"
)

// Errors of a record that nothing can be predicted from.
var (
	ErrNoLock  = errors.New("no such lock in the record")
	ErrNoHolds = errors.New("the record has no holds")
	ErrRates   = errors.New("the record has no rates")
)

// Model is a lock as the record tells it.
type Model struct {
	site    string // that leads those which take the lock
	kind    string // mutex or rwmutex
	procs   int
	rate    float64 // acquisitions a second, reads included
	hold    time.Duration
	cv      float64       // of the hold
	same    time.Duration // hold after a holder on the same processor
	moves   time.Duration // what it takes longer after one on another
	shape   machine.Shape // of the pauses
	think   time.Duration // processor time between two acquisitions of a processor
	reads   float64       // share of acquisitions that read, under an RWMutex
	rhold   time.Duration // of reads
	parts   int           // instances
	hot     float64       // share of the hottest one, 0 to 1
	busy    float64       // share of the processors' time, 0 to 1
	threads int
	costs   sim.Costs
	goc     sim.GoCosts

	contended float64 // share, recorded
	wait      float64 // mean wait an acquisition in ns, recorded
	hottest   float64 // %
	stretch   []record.Stretch
}

// closedAbove is the share of the processors' time from which a program is taken
// for a closed loop, bound by its processors: below it more processors change
// nothing by themselves. Time that processors are idle because goroutines wait for
// this lock counts as busy: it is what the lock costs.
const closedAbove = 0.9

// open reports whether the program waits for something other than processors and
// this lock.
func (m *Model) open() bool {
	waiting := m.wait * m.rate / 1e9 // goroutines, on average
	return m.busy+min(waiting/float64(m.procs), 1-m.busy) < closedAbove
}

// NewModel reads one lock of a record: the one whose site is named, or else the
// first that is not the test harness's own.
func NewModel(r *record.Record, site string, costs sim.Costs, goc sim.GoCosts) (*Model, error) {
	lead, err := pick(r, site)
	if err != nil {
		return nil, err
	}
	m := &Model{site: lead.Lock, kind: lead.Kind, procs: r.Procs, costs: costs, goc: goc, hot: 1, parts: 1, shape: machine.Exponential}
	if m.site == "" {
		m.site = lead.Site
	}
	if r.Seconds <= 0 || r.Procs <= 0 || r.CPUSeconds <= 0 {
		return nil, fmt.Errorf("%w: seconds %v, GOMAXPROCS %d, CPU time %v s; legal: what 'lab record' wrote", ErrRates, r.Seconds, r.Procs, r.CPUSeconds)
	}
	var acq, reads, contended, waited, held, rheld, heldN, rheldN, same, sameN, other, otherN float64
	var p99 float64
	for i := range r.Locks {
		l := &r.Locks[i]
		if l.Lock != lead.Lock && l.Site != lead.Site {
			continue
		}
		n := float64(l.Acquisitions)
		acq += n
		contended += float64(l.Contended)
		waited += l.WaitTotalNs
		m.threads = max(m.threads, l.Goroutines)
		if l.Hold == nil {
			continue
		}
		if l.Reads {
			reads += n
			rheld, rheldN = rheld+n*l.Hold.Mean, rheldN+n
			continue
		}
		held, heldN = held+n*l.Hold.Mean, heldN+n
		p99 = max(p99, l.Hold.P99)
		if l.HoldSameP != nil && l.HoldOtherP != nil {
			same, sameN = same+n**l.HoldSameP, sameN+n
			other, otherN = other+n**l.HoldOtherP, otherN+n
		}
		if l.HottestUtilizationPct != nil {
			m.hottest = max(m.hottest, *l.HottestUtilizationPct)
		}
		if l.Instances > m.parts {
			m.parts = l.Instances
			m.hot = 1 / float64(l.Instances)
			if l.HottestSharePct != nil {
				m.hot = *l.HottestSharePct / 100
			}
		}
	}
	if heldN+rheldN == 0 || acq == 0 {
		return nil, fmt.Errorf("%w of %s; legal: a record of 'lab record', since other tools' files have none", ErrNoHolds, m.site)
	}
	m.rate = acq / r.Seconds
	m.reads = reads / acq
	if heldN > 0 {
		m.hold = ns(held / heldN)
	}
	if rheldN > 0 {
		m.rhold = ns(rheld / rheldN)
	}
	m.same = m.hold
	if sameN > 0 && other/otherN > same/sameN {
		m.same = ns(same / sameN)
		m.moves = ns(other/otherN - same/sameN)
	}
	m.cv = cvOf(float64(m.hold), p99)
	m.busy = r.CPUSeconds / r.Seconds / float64(r.Procs)
	m.contended, m.wait = contended/acq, waited/acq
	// What a processor does between two acquisitions: all of its time less the holds.
	mean := ((1-m.reads)*float64(m.hold) + m.reads*float64(m.rhold))
	m.think = ns(max(r.CPUSeconds*1e9/acq-mean, 0))
	m.threads = max(m.threads, m.procs)
	m.stretch = r.Stretch
	return m, nil
}

func pick(r *record.Record, site string) (*record.Lock, error) {
	var legal []string
	for i := range r.Locks {
		l := &r.Locks[i]
		if l.Harness {
			continue
		}
		if site == "" && !l.Reads || site != "" && l.Named(site) {
			return l, nil
		}
		legal = append(legal, l.Site)
	}
	const some = 5
	if len(legal) > some {
		legal = append(legal[:some:some], "...")
	}
	if site == "" {
		site = "any"
	}
	return nil, fmt.Errorf("%w: %q; legal: %s", ErrNoLock, site, strings.Join(legal, ", "))
}

func ns(v float64) time.Duration { return time.Duration(math.Round(v)) }

// cvOf is the coefficient of variation of the lognormal that has this mean and this
// 99th percentile: ln p99 = ln mean - s2/2 + 2.326 s, the smaller root.
func cvOf(mean, p99 float64) float64 {
	const z, least, most = 2.326, 0.1, 10.0
	if mean <= 0 || p99 <= mean {
		return least
	}
	d := z*z - 2*math.Log(p99/mean)
	if d < 0 {
		return most // longer than any lognormal's
	}
	s := z - math.Sqrt(d)
	return min(max(math.Sqrt(math.Expm1(s*s)), least), most)
}

// variant is what is taken for what the record leaves open.
type variant struct {
	other      bool    // the other shape of pauses than the model's
	hold       float64 // times
	cv         float64 // times
	moves      float64 // times what data takes to move
	wake       float64 // times the scheduler's latencies
	line       float64 // times the lines' latencies
	stretch    float64 // of the hold; 1 is none
	outside    float64 // of the same time outside the hold
	goroutines int     // 0 is the model's
}

// regular is how much pauses scatter that are called regular.
const regular = 0.1

var base = variant{hold: 1, cv: 1, moves: 1, wake: 1, line: 1, stretch: 1}

// config is the load of the model on a number of cores.
func (m *Model) config(d designs.Info, kind string, cores, parts int, v variant) (lockload.Config, error) {
	k, err := locks.Lookup(kind)
	if err != nil {
		return lockload.Config{}, err
	}
	// How much of a hold is data that come from elsewhere: on one core none, and on
	// many nearly all the time the last holder was another.
	elsewhere := 1 - 1/float64(cores)
	hold := float64(m.same) + float64(m.moves)*v.moves*elsewhere
	if m.moves == 0 {
		hold = float64(m.hold)
	}
	hold *= v.hold
	extra := hold * (v.stretch - 1)
	spread := m.cv * v.cv
	shape := m.shape
	if v.other {
		shape = machine.Exponential + machine.Lognormal - shape
	}
	c := lockload.Config{
		Design: d, Kind: k, Parts: parts, Cores: cores, Seed: 1,
		Costs: m.costs, Go: m.goc,
		Load: lockload.Load{
			Hold:  lockload.Dist{Dist: machine.Dist{Mean: ns(hold + extra), Shape: machine.Lognormal, CV: spread}},
			Think: lockload.Dist{Dist: machine.Dist{Mean: ns(float64(m.think) + v.outside*hold), Shape: shape, CV: regular}},
			Read:  m.reads, Keys: max(m.parts, 1024), Hot: 0,
		},
	}
	if m.reads > 0 {
		c.ReadHold = lockload.Dist{Dist: machine.Dist{Mean: ns(float64(m.rhold) * v.hold), Shape: machine.Lognormal, CV: spread}}
	}
	if m.parts > 1 {
		c.Hot = max(m.hot-1/float64(c.Keys), 0)
	}
	c.Threads = max(m.threads, cores)
	if v.goroutines > 0 {
		c.Threads = v.goroutines
	}
	scale := func(d time.Duration, f float64) time.Duration { return ns(float64(d) * f) }
	c.Costs.SameSocket, c.Costs.CrossSocket = scale(c.Costs.SameSocket, v.line), scale(c.Costs.CrossSocket, v.line)
	c.Go.Wake, c.Go.WakeCall, c.Go.StealNext = scale(c.Go.Wake, v.wake), scale(c.Go.WakeCall, v.wake), scale(c.Go.StealNext, v.wake)
	return c, nil
}

// asRecorded is the design that the program has: one lock, or as many instances.
func (m *Model) asRecorded() (designs.Info, int, error) {
	name := "one"
	if m.parts > 1 {
		name = "shards"
	}
	d, err := designs.Lookup(name)
	return d, min(m.parts, 4096), err
}
