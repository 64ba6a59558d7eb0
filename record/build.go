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
	for i := range r.Locks {
		r.Locks[i].finish()
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

// total is how long a site's locks were held in all: the sampled mean times the
// exact count.
func total(s read.Site) float64 {
	if s.Weight == 0 {
		return 0
	}
	return float64(s.HoldNs) / float64(s.Weight) * float64(s.Acquisitions)
}

func rw(s read.Site) bool { return s.Kind == rt.Write || s.Kind == rt.Read }

func inSync(function string) bool {
	return strings.HasPrefix(function, "sync.") || strings.HasPrefix(function, "internal/sync.")
}

// wraps reports whether a function stands between a lock and whoever takes it:
// one of package sync, or a method of a type that is a sync.Locker itself.
func wraps(function string) bool { return inSync(function) || rt.Wrapper(function) }

// place is the innermost frame that takes the lock for itself.
func place(s read.Site) Place {
	for _, f := range s.Frames {
		if !wraps(f.Function) {
			return Place(f)
		}
	}
	if len(s.Frames) > 0 {
		return Place(s.Frames[len(s.Frames)-1])
	}
	return Place{Function: "unknown"}
}

// via is what took the lock for the caller, such as a Once, or a Locker of the
// program's own.
func via(s read.Site) string {
	last := ""
	for _, f := range s.Frames {
		if !wraps(f.Function) {
			break
		}
		last = f.Function
	}
	if !inSync(last) {
		return last
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
