package record

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"hostlock/record/read"
	"hostlock/record/rt"
)

// fewPairs is below how many pairs of holds a difference between processors is
// left out: the mean of fewer says nothing.
const fewPairs = 30

// sums is what a row's figures are made of. A row adds up the calls that have its
// name: the copies of a function that is inlined, and those of other processes.
// Histograms and splits are scaled to all acquisitions.
type sums struct {
	timed      float64 // acquisitions whose holds the samples stand for
	hold, wait [rt.Buckets]float64
	variance   float64 // of the hold time in all, in ns²
	maxHold    uint64
	maxWait    uint64
	waited     float64 // ns
	split      [rt.States]float64
	nested     map[string]float64 // ns, by site
	same       rt.Sum
	other      rt.Sum
	reads      rt.Sum
	locks      map[lockID]bool
	goids      map[int][len(rt.Site{}.Goids)]uint64 // by process
}

// lockID tells locks of several processes apart.
type lockID struct {
	pid  int
	addr uint64
}

// locksOf makes the rows of one process.
func locksOf(p *read.Process) []Lock {
	groups, busy := group(p)
	// The site that holds the group's locks longest; one that only reads does not
	// hold them against its like.
	lead := map[int]int{}
	before := func(a, b read.Site) bool {
		if ra, rb := a.Kind == rt.Read, b.Kind == rt.Read; ra != rb {
			return rb
		}
		return total(a) > total(b)
	}
	for i, s := range p.Sites {
		g := groups[i]
		if j, ok := lead[g]; !ok || before(s, p.Sites[j]) {
			lead[g] = i
		}
	}
	name := make([]string, len(p.Sites))
	for i, s := range p.Sites {
		name[i] = place(s).name()
	}
	var out []Lock
	for i, s := range p.Sites {
		if s.Kind == rt.Own || s.Acquisitions == 0 && s.TryFailed == 0 {
			continue
		}
		at := place(s)
		l := Lock{
			Site: name[i], Function: at.Function, File: at.File, Line: at.Line, Via: via(s),
			Harness: strings.HasPrefix(at.Function, "testing."), Kind: "mutex", Lock: name[lead[groups[i]]],
			Acquisitions: s.Acquisitions, Contended: s.Contended, TryFailed: s.TryFailed, Foreign: s.Foreign,
			HoldTotalNs: total(s), WaitTotalNs: float64(s.WaitNs), WaitBlockedNs: float64(s.Parked), WaitRunnableNs: float64(s.Site.Runnable),
			Nested: []Nested{}, Notes: []string{},
		}
		for _, f := range s.Frames {
			l.Frames = append(l.Frames, Place(f))
		}
		if s.Kind != rt.Mutex {
			l.Kind = "rwmutex"
		}
		if s.Kind == rt.Read {
			l.Reads, l.ReadAcq = true, s.Acquisitions
		}
		l.sums = sumsOf(p.Pid, s, name)
		if p.Seconds > 0 {
			l.hottest(busy[groups[i]], p.Seconds)
		}
		out = append(out, l)
	}
	return out
}

func sumsOf(pid int, s read.Site, names []string) *sums {
	t := &sums{
		maxHold: s.MaxHold, maxWait: s.MaxWait, waited: float64(s.WaitNs), same: s.Same, other: s.Other, reads: s.Reads,
		nested: map[string]float64{}, locks: map[lockID]bool{}, goids: map[int][len(s.Goids)]uint64{pid: s.Goids},
	}
	if s.Weight > 0 {
		t.timed = float64(s.Acquisitions)
		scale := t.timed / float64(s.Weight)
		for i, w := range s.Hold {
			t.hold[i] = float64(w) * scale
			// A hold that a sample of weight w stands for adds w(w-1) times its
			// square: nothing where each was timed. The weights' mean stands for them.
			low, high := rt.BucketNs(i)
			ns := float64(low+high-1) / 2 * scale
			t.variance += (float64(s.Weight)/float64(max(s.Samples, 1)) - 1) * float64(w) * ns * ns
		}
		for i, ns := range s.Split {
			t.split[i] = float64(ns) * scale
		}
		for _, n := range s.Nested {
			if n.Site > 0 && n.Site <= uint64(len(names)) {
				t.nested[names[n.Site-1]] += float64(n.Ns) * scale
			}
		}
	}
	for i, n := range s.Wait {
		t.wait[i] = float64(n)
	}
	for _, in := range s.Locks {
		t.locks[lockID{pid, in.Addr}] = true
	}
	return t
}

// add puts another row of the same name to this one.
func (l *Lock) add(o Lock) {
	l.Acquisitions += o.Acquisitions
	l.Contended += o.Contended
	l.ReadAcq += o.ReadAcq
	l.TryFailed += o.TryFailed
	l.Foreign += o.Foreign
	l.HoldTotalNs += o.HoldTotalNs
	l.WaitTotalNs += o.WaitTotalNs
	l.WaitBlockedNs += o.WaitBlockedNs
	l.WaitRunnableNs += o.WaitRunnableNs
	if o.HottestUtilizationPct != nil && (l.HottestUtilizationPct == nil || *o.HottestUtilizationPct > *l.HottestUtilizationPct) {
		l.HottestUtilizationPct, l.HottestAtLeast = o.HottestUtilizationPct, o.HottestAtLeast
		l.MedianUtilizationPct, l.HottestSharePct = o.MedianUtilizationPct, o.HottestSharePct
	}
	a, b := l.sums, o.sums
	a.timed += b.timed
	a.variance += b.variance
	a.waited += b.waited
	a.maxHold, a.maxWait = max(a.maxHold, b.maxHold), max(a.maxWait, b.maxWait)
	for i := range a.hold {
		a.hold[i] += b.hold[i]
		a.wait[i] += b.wait[i]
	}
	for i := range a.split {
		a.split[i] += b.split[i]
	}
	for site, ns := range b.nested {
		a.nested[site] += ns
	}
	for _, p := range []struct{ to, from *rt.Sum }{{&a.same, &b.same}, {&a.other, &b.other}, {&a.reads, &b.reads}} {
		p.to.N, p.to.Ns = p.to.N+p.from.N, p.to.Ns+p.from.Ns
	}
	for id := range b.locks {
		a.locks[id] = true
	}
	for pid, set := range b.goids {
		own := a.goids[pid]
		for i := range set {
			own[i] |= set[i]
		}
		a.goids[pid] = own
	}
}

// finish makes the row's figures of its sums.
func (l *Lock) finish() {
	t := l.sums
	l.Instances = len(t.locks)
	if t.timed > 0 {
		l.Hold = &Times{Mean: l.HoldTotalNs / t.timed, P50: quantile(t.hold[:], 0.5), P99: quantile(t.hold[:], 0.99), Max: float64(t.maxHold)}
	}
	if l.HoldTotalNs > 0 {
		l.HoldErrorPct = of(100 * math.Sqrt(max(t.variance, 0)) / l.HoldTotalNs)
	}
	if l.Contended > 0 {
		l.Wait = &Times{Mean: t.waited / float64(l.Contended), P50: quantile(t.wait[:], 0.5), P99: quantile(t.wait[:], 0.99), Max: float64(t.maxWait)}
	}
	if t.same.N >= fewPairs {
		l.HoldSameP = of(float64(t.same.Ns) / float64(t.same.N))
	}
	if t.other.N >= fewPairs {
		l.HoldOtherP = of(float64(t.other.Ns) / float64(t.other.N))
	}
	if t.reads.N > 0 {
		l.ReadWindowHold = of(float64(t.reads.Ns) / float64(t.reads.N))
	}
	for _, set := range t.goids {
		l.Goroutines += goroutines(set[:])
	}
	l.split()
}

// goroutines is how many took a lock, from a bitmap of their hashes (linear
// counting): an estimate.
func goroutines(set []uint64) int {
	all := float64(64 * len(set))
	zero := all
	for _, w := range set {
		zero -= float64(bits.OnesCount64(w))
	}
	zero = max(zero, 1) // a full bitmap: more than it can tell
	return int(math.Round(-all * math.Log(zero/all)))
}

var stateNames = [rt.States]string{"running", "runnable", "io", "syscall", "sleep", "channel", "other", "lock", "gc"}

// split fills in what a hold is made of.
func (l *Lock) split() {
	var sum float64
	for _, v := range l.sums.split {
		sum += v
	}
	if sum == 0 {
		return
	}
	l.HoldSplitPct = map[string]float64{"running": 0, "runnable": 0, "parked": 0, "lock": 0, "gc": 0}
	l.ParkedPct = map[string]float64{}
	for i, v := range l.sums.split {
		pct := 100 * v / sum
		switch i {
		case rt.IO, rt.Syscall, rt.Sleep, rt.Channel, rt.Other:
			l.HoldSplitPct["parked"] += pct
			l.ParkedPct[stateNames[i]] = pct
		default:
			l.HoldSplitPct[stateNames[i]] = pct
		}
	}
	for site, ns := range l.sums.nested {
		l.Nested = append(l.Nested, Nested{site, 100 * ns / sum})
	}
	slices.SortFunc(l.Nested, func(a, b Nested) int { return cmp.Or(cmp.Compare(b.HoldPct, a.HoldPct), cmp.Compare(a.Site, b.Site)) })
}

// quantile reads a histogram; within a bucket its middle counts.
func quantile(weights []float64, q float64) float64 {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	var seen float64
	for i, w := range weights {
		if seen += w; seen >= q*sum && w > 0 {
			low, high := rt.BucketNs(i)
			return float64(low+high-1) / 2
		}
	}
	return 0
}
