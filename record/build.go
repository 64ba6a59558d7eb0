package record

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"hostlock/record/read"
	"hostlock/record/rt"
)

// fewPairs is below how many pairs of holds a difference between processors is
// left out: the mean of fewer says nothing.
const fewPairs = 30

// Build puts processes together. Each instance's utilisation is over the life
// of its own process.
func Build(processes []*read.Process) *Record {
	r := &Record{Schema: 1, Source: "recorded", Processes: len(processes), Locks: []Lock{}, Stretch: []Stretch{}, Unknown: []string{}, Warnings: []string{}}
	var cost, gc, wait float64
	var switches int64
	byKey := map[string]int{}
	for _, p := range processes {
		r.Go, r.Procs = p.Go, max(r.Procs, p.Procs)
		r.Seconds += p.Seconds
		r.CPUSeconds += p.CPU.Seconds()
		r.Frame.GCCycles += p.Cycles
		r.Frame.Goroutines = max(r.Frame.Goroutines, p.Goroutines)
		gc += p.GCCPU.Seconds()
		wait += p.MutexWait.Seconds()
		switches += p.Switches
		s := &r.Sampling
		s.CountNs, s.SampleNs, s.ClockNs = max(s.CountNs, p.PlainNs), max(s.SampleNs, p.SampledNs), max(s.ClockNs, float64(p.Clock))
		s.Dropped, s.Stale, s.Unplaced, s.LostSites = s.Dropped+p.Dropped, s.Stale+p.Stale, s.Unplaced+p.Unplaced, s.LostSites+p.Lost
		for _, site := range p.Sites {
			if site.Kind == rt.Own {
				continue
			}
			s.Samples += site.Samples
			cost += float64(site.Acquisitions)*p.PlainNs + float64(site.Samples)*max(p.SampledNs-p.PlainNs, 0)
		}
		for _, l := range locksOf(p) {
			key := l.Kind + fmt.Sprint(l.Reads) + l.Site
			if at, ok := byKey[key]; ok {
				r.Locks[at].add(l)
				continue
			}
			byKey[key] = len(r.Locks)
			r.Locks = append(r.Locks, l)
		}
	}
	r.Command = commandOf(processes)
	if plain := r.CPUSeconds - cost/1e9; plain > 0 {
		r.OverheadPct, r.OverheadHow = of(cost/1e7/plain), "estimated" // of the plain run, as a measured one is
	}
	if r.CPUSeconds > 0 {
		r.Frame.GCPct = of(100 * gc / r.CPUSeconds)
	}
	if r.Seconds > 0 && r.Procs > 0 {
		r.Frame.BusyPct = of(100 * r.CPUSeconds / r.Seconds / float64(r.Procs))
		r.Frame.InvoluntaryRate = of(float64(switches) / r.Seconds)
	}
	r.Frame.MutexWaitS = of(wait)
	slices.SortStableFunc(r.Locks, func(a, b Lock) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.HoldTotalNs, a.HoldTotalNs), cmp.Compare(a.Site, b.Site))
	})
	return r
}

// rank orders locks: what is nearest to its limit comes first, and among those
// far from it what is waited for longest.
func rank(l Lock) float64 {
	u := 0.0
	if l.Harness {
		return -2 // nobody can mend it, and nobody waits for it
	}
	if l.HottestUtilizationPct != nil {
		u = *l.HottestUtilizationPct
	}
	if l.Reads {
		u-- // the utilisation is its writers'
	}
	return math.Round(u) + l.waited()/1e15
}

func commandOf(processes []*read.Process) string {
	var out []string
	for _, p := range processes {
		if !slices.Contains(out, p.Command) {
			out = append(out, p.Command)
		}
	}
	return strings.Join(out, "; ")
}

func of(v float64) *float64 { return &v }

// locksOf makes the rows of one process.
func locksOf(p *read.Process) []Lock {
	groups, busy := group(p)
	lead := map[int]int{} // the site that holds the group's locks longest
	for i, s := range p.Sites {
		g := groups[i]
		if j, ok := lead[g]; !ok || total(s) > total(p.Sites[j]) {
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
			Harness: strings.HasPrefix(at.Function, "testing."), Kind: "mutex", Lock: name[lead[groups[i]]], Instances: len(s.Locks),
			Acquisitions: s.Acquisitions, Contended: s.Contended, TryFailed: s.TryFailed, Foreign: s.Foreign,
			HoldTotalNs: total(s), WaitTotalNs: float64(s.WaitNs), WaitBlockedNs: float64(s.Parked), WaitRunnableNs: float64(s.Site.Runnable),
			Goroutines: goroutines(s), samples: s.Samples, Nested: []Nested{}, Notes: []string{},
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
		if s.Weight > 0 {
			l.Hold = &Times{Mean: float64(s.HoldNs) / float64(s.Weight), P50: quantile(s.Hold[:], 0.5), P99: quantile(s.Hold[:], 0.99), Max: float64(s.MaxHold)}
		}
		if s.Contended > 0 {
			l.Wait = &Times{Mean: float64(s.WaitNs) / float64(s.Contended), P50: quantile(s.Wait[:], 0.5), P99: quantile(s.Wait[:], 0.99), Max: float64(s.MaxWait)}
		}
		l.split(s, name)
		if s.Same.N >= fewPairs {
			l.HoldSameP = of(float64(s.Same.Ns) / float64(s.Same.N))
		}
		if s.Other.N >= fewPairs {
			l.HoldOtherP = of(float64(s.Other.Ns) / float64(s.Other.N))
		}
		if s.Reads.N > 0 {
			l.ReadWindowHold = of(float64(s.Reads.Ns) / float64(s.Reads.N))
		}
		if p.Seconds > 0 {
			l.hottest(busy[groups[i]], p.Seconds)
		}
		out = append(out, l)
	}
	return out
}

// total is how long a site's locks were held in all: the sampled mean times the
// exact count.
func total(s read.Site) float64 {
	if s.Weight == 0 {
		return 0
	}
	return float64(s.HoldNs) / float64(s.Weight) * float64(s.Acquisitions)
}

// goroutines is how many took a lock at a site, from a bitmap of their hashes
// (linear counting): an estimate.
func goroutines(s read.Site) int {
	zero, bits := 0, 0
	for _, w := range s.Goids {
		for b := range 64 {
			bits++
			if w&(1<<b) == 0 {
				zero++
			}
		}
	}
	if zero == 0 {
		zero = 1 // more than the bitmap can tell
	}
	return int(math.Round(-float64(bits) * math.Log(float64(zero)/float64(bits))))
}

var stateNames = [rt.States]string{"running", "runnable", "io", "syscall", "sleep", "channel", "other", "lock", "gc"}

// split fills in what a hold is made of.
func (l *Lock) split(s read.Site, names []string) {
	var sum float64
	for _, v := range s.Split {
		sum += float64(v)
	}
	if sum == 0 {
		return
	}
	l.HoldSplitPct = map[string]float64{"running": 0, "runnable": 0, "parked": 0, "lock": 0, "gc": 0}
	l.ParkedPct = map[string]float64{}
	for i, v := range s.Split {
		pct := 100 * float64(v) / sum
		switch i {
		case rt.IO, rt.Syscall, rt.Sleep, rt.Channel, rt.Other:
			l.HoldSplitPct["parked"] += pct
			l.ParkedPct[stateNames[i]] = pct
		default:
			l.HoldSplitPct[stateNames[i]] = pct
		}
	}
	for _, n := range s.Nested {
		if n.Site > 0 && n.Site <= uint64(len(names)) {
			l.Nested = append(l.Nested, Nested{names[n.Site-1], 100 * float64(n.Ns) / sum})
		}
	}
	slices.SortFunc(l.Nested, func(a, b Nested) int { return cmp.Compare(b.HoldPct, a.HoldPct) })
}

func rw(s read.Site) bool { return s.Kind == rt.Write || s.Kind == rt.Read }

// quantile reads a histogram; within a bucket its middle counts.
func quantile(weights []uint64, q float64) float64 {
	var sum uint64
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		return 0
	}
	want := q * float64(sum)
	var seen float64
	for i, w := range weights {
		if seen += float64(w); seen >= want && w > 0 {
			low, high := rt.BucketNs(i)
			return float64(low+high-1) / 2
		}
	}
	return 0
}

func inSync(function string) bool {
	return strings.HasPrefix(function, "sync.") || strings.HasPrefix(function, "internal/sync.")
}

// place is the innermost frame outside package sync.
func place(s read.Site) Place {
	for _, f := range s.Frames {
		if !inSync(f.Function) {
			return Place(f)
		}
	}
	if len(s.Frames) > 0 {
		return Place(s.Frames[len(s.Frames)-1])
	}
	return Place{Function: "unknown"}
}

// via is what of package sync took its own lock for the caller, such as a Once.
func via(s read.Site) string {
	last := ""
	for _, f := range s.Frames {
		if !inSync(f.Function) {
			break
		}
		last = f.Function
	}
	for _, own := range []string{"Mutex).Lock", "Mutex).TryLock", "Mutex).RLock", "Mutex).TryRLock", "rlocker).Lock"} {
		if strings.HasSuffix(last, own) {
			return ""
		}
	}
	return last
}

func (p Place) name() string {
	return fmt.Sprintf("%s %s:%d", p.Function, filepath.Base(p.File), p.Line)
}

// add puts the row of another process, of the same site, to this one. Quantiles
// are those of the process with more acquisitions.
func (l *Lock) add(o Lock) {
	if l.Hold == nil || o.Hold != nil && o.Acquisitions > l.Acquisitions {
		l.Hold, o.Hold = o.Hold, l.Hold
		l.HoldSplitPct, l.ParkedPct, l.Nested = o.HoldSplitPct, o.ParkedPct, o.Nested
		l.HoldSameP, l.HoldOtherP = o.HoldSameP, o.HoldOtherP
	}
	if o.Hold != nil && l.Hold != nil {
		l.Hold.Max = max(l.Hold.Max, o.Hold.Max)
	}
	if l.Wait == nil || o.Wait != nil && o.Contended > l.Contended {
		l.Wait, o.Wait = o.Wait, l.Wait
	}
	if o.Wait != nil && l.Wait != nil {
		l.Wait.Max = max(l.Wait.Max, o.Wait.Max)
	}
	l.Instances += o.Instances
	l.Acquisitions += o.Acquisitions
	l.Contended += o.Contended
	l.ReadAcq += o.ReadAcq
	l.TryFailed += o.TryFailed
	l.Foreign += o.Foreign
	l.HoldTotalNs += o.HoldTotalNs
	l.WaitTotalNs += o.WaitTotalNs
	l.WaitBlockedNs += o.WaitBlockedNs
	l.WaitRunnableNs += o.WaitRunnableNs
	l.samples += o.samples
	if l.Hold != nil && l.Acquisitions > 0 {
		l.Hold.Mean = l.HoldTotalNs / float64(l.Acquisitions)
	}
	if l.Wait != nil && l.Contended > 0 {
		l.Wait.Mean = l.WaitTotalNs / float64(l.Contended)
	}
	if o.HottestUtilizationPct != nil && (l.HottestUtilizationPct == nil || *o.HottestUtilizationPct > *l.HottestUtilizationPct) {
		l.HottestUtilizationPct, l.HottestAtLeast = o.HottestUtilizationPct, o.HottestAtLeast
		l.MedianUtilizationPct, l.HottestSharePct = o.MedianUtilizationPct, o.HottestSharePct
	}
}

// SiteName is how a site is printed: function, and file:line.
func SiteName(s read.Site) string { return place(s).name() }

// Named reports whether text names the lock's site: its function or file:line,
// or what of it follows a slash or a dot. The recorded program matches alike.
func (l Lock) Named(text string) bool {
	for _, full := range []string{l.Function, fmt.Sprintf("%s:%d", l.File, l.Line)} {
		rest, ok := strings.CutSuffix(full, text)
		if ok && (rest == "" || strings.HasSuffix(rest, "/") || strings.HasSuffix(rest, ".") || strings.ContainsAny(text[:1], "/.(")) {
			return true
		}
	}
	return false
}
