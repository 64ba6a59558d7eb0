package imports

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"hostlock/record"
)

// pprofile reads a Go profile: contentions and delay, or CPU time.
func pprofile(text []byte, f Frame) (*record.Record, error) {
	p, err := profile.ParseData(text)
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, bad("is no profile, benchmark text or lock_stat: %s", line)
	}
	index := map[string]int{}
	for i, t := range p.SampleType {
		index[t.Type] = i
	}
	if f.Seconds == 0 {
		f.Seconds = float64(p.DurationNanos) / 1e9
	}
	if at, ok := index["delay"]; ok {
		n, ok := index["contentions"]
		if !ok {
			return nil, bad("is a profile with delays and without contentions; legal: Go's mutex or block profile")
		}
		return waits(p, n, at, f), nil
	}
	if at, ok := index["cpu"]; ok {
		return cpu(p, at, f), nil
	}
	return nil, bad("is a profile of %s; legal: a mutex, block or CPU profile", strings.Join(kinds(p), ", "))
}

func kinds(p *profile.Profile) []string {
	var out []string
	for _, t := range p.SampleType {
		out = append(out, t.Type)
	}
	return out
}

// site is the innermost frame outside sync and runtime. method is the last one
// inside them: the operation.
func site(s *profile.Sample) (at record.Place, method string, all []record.Place) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function == nil {
				continue
			}
			fr := record.Place{Function: line.Function.Name, File: line.Function.Filename, Line: int(line.Line)}
			all = append(all, fr)
			if at.Function != "" {
				continue
			}
			if inside(fr.Function) {
				method = fr.Function
			} else {
				at = fr
			}
		}
	}
	return at, method, all
}

func inside(function string) bool {
	return strings.HasPrefix(function, "sync.") || strings.HasPrefix(function, "internal/sync.") || strings.HasPrefix(function, "runtime.")
}

// waits reads a mutex or a block profile. The mutex profile's site is where the
// lock was released, since Go 1.22 with the delay that this holder caused; the
// block profile's is where somebody waited.
func waits(p *profile.Profile, count, delay int, f Frame) *record.Record {
	rows := map[string]*record.Lock{}
	releases := false
	for _, s := range p.Sample {
		at, method, frames := site(s)
		if at.Function == "" || len(s.Value) <= max(count, delay) {
			continue
		}
		isMutex := strings.Contains(method, "Mutex")
		if !isMutex && !strings.Contains(method, "unlock") {
			continue // a channel or a wait group: no lock
		}
		releases = releases || strings.HasSuffix(method, "Unlock")
		name := fmt.Sprintf("%s %s:%d", at.Function, filepath.Base(at.File), at.Line)
		l := rows[name]
		if l == nil {
			l = &record.Lock{Site: name, Lock: name, Function: at.Function, File: at.File, Line: at.Line, Kind: "mutex", Nested: []record.Nested{}, Notes: []string{}, Frames: frames}
			if strings.Contains(method, "RWMutex") {
				l.Kind = "rwmutex"
			}
			l.Reads = strings.Contains(method, "RLock") || strings.Contains(method, "RUnlock")
			rows[name] = l
		}
		l.Contended += uint64(max(s.Value[count], 0))
		l.WaitTotalNs += float64(max(s.Value[delay], 0))
	}
	source := "block profile"
	if releases {
		source = "mutex profile"
	}
	r := empty(source, f)
	for _, l := range rows {
		if l.Contended > 0 {
			l.Wait = &record.Times{Mean: l.WaitTotalNs / float64(l.Contended)}
		}
		r.Locks = append(r.Locks, *l)
	}
	order(r)
	r.Unknown = append(r.Unknown, howToHold, "how often locks are taken without waiting")
	if f.Seconds == 0 {
		r.Unknown = append(r.Unknown, "over how many seconds: the file lacks them; --seconds says")
	}
	if releases {
		r.Warnings = append(r.Warnings, "a mutex profile names the call that released the lock; before Go 1.22 it charged all waiters' delay to the first release, since then each release has what its own hold caused")
	}
	if len(r.Locks) == 0 {
		r.Words = "No wait for a lock is in this " + source + "."
		return r
	}
	first := r.Locks[0]
	r.Words = fmt.Sprintf("Waits are longest at %s: %.3g s in %d waits (measured by the runtime)", first.Site, first.WaitTotalNs/1e9, first.Contended)
	if f.Seconds > 0 {
		r.Words += fmt.Sprintf(", %.2g goroutines on average", first.WaitTotalNs/1e9/f.Seconds)
	}
	r.Words += "."
	return r
}

// cpu reads how much CPU time goes into locking itself.
func cpu(p *profile.Profile, at int, f Frame) *record.Record {
	r := empty("CPU profile", f)
	rows := map[string]*record.Lock{}
	var all, locks float64
	for _, s := range p.Sample {
		if len(s.Value) <= at {
			continue
		}
		v := float64(max(s.Value[at], 0))
		all += v
		place, method, frames := site(s)
		if !strings.Contains(method, "Mutex)") || place.Function == "" {
			continue
		}
		locks += v
		name := fmt.Sprintf("%s %s:%d", place.Function, filepath.Base(place.File), place.Line)
		l := rows[name]
		if l == nil {
			l = &record.Lock{Site: name, Lock: name, Function: place.Function, File: place.File, Line: place.Line, Kind: "mutex", Nested: []record.Nested{}, Notes: []string{}, Frames: frames}
			rows[name] = l
		}
		l.WaitTotalNs += v
	}
	for _, l := range rows {
		r.Locks = append(r.Locks, *l)
	}
	order(r)
	r.CPUSeconds = all / 1e9
	r.Unknown = append(r.Unknown, howToHold, "who waits parked: a CPU profile sees only who runs; a mutex profile has it")
	share := 0.0
	if all > 0 {
		share = 100 * locks / all
	}
	r.Words = fmt.Sprintf("%.2g %% of the CPU time goes into taking and releasing locks (measured)", share)
	if len(r.Locks) > 0 {
		r.Words += ", most of it at " + r.Locks[0].Site
	}
	r.Words += "."
	return r
}

func order(r *record.Record) {
	slices.SortFunc(r.Locks, func(a, b record.Lock) int {
		return cmp.Or(cmp.Compare(b.WaitTotalNs, a.WaitTotalNs), cmp.Compare(a.Site, b.Site))
	})
}
