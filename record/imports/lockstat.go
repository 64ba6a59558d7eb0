package imports

import (
	"fmt"
	"strconv"
	"strings"

	"hostlock/record"
)

// lockStat reads /proc/lock_stat: contentions and waits, acquisitions and holds
// by lock class, in us.
func lockStat(text []byte, f Frame) (*record.Record, error) {
	r := empty("lock_stat", f)
	// con-bounces contentions min max total avg, acq-bounces acquisitions min max
	// total avg; older kernels have no averages.
	for n, line := range strings.Split(string(text), "\n") {
		i := strings.LastIndex(line, ": ")
		if i < 0 {
			continue
		}
		name := strings.TrimSpace(line[:i])
		fields := strings.Fields(line[i+1:])
		if name == "" || len(fields) != 10 && len(fields) != 12 {
			continue
		}
		v := make([]float64, len(fields))
		for k, s := range fields {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || x < 0 || x > 1e18 {
				return nil, bad("line %d: %q is no figure of lock_stat", n+1, s)
			}
			v[k] = x
		}
		half := len(v) / 2
		wait, hold := v[:half], v[half:]
		l := record.Lock{Site: name, Lock: name, Function: name, Kind: "mutex", Contended: uint64(wait[1]), Acquisitions: uint64(hold[1]),
			WaitTotalNs: wait[4] * 1e3, HoldTotalNs: hold[4] * 1e3, Nested: []record.Nested{}, Notes: []string{}, Frames: []record.Place{{Function: name}}}
		if strings.HasSuffix(name, "-R") || strings.HasSuffix(name, "-W") {
			l.Kind, l.Reads = "rwmutex", strings.HasSuffix(name, "-R")
		}
		if l.Reads {
			l.ReadAcq = l.Acquisitions
		}
		if l.Contended > 0 {
			l.Wait = &record.Times{Mean: l.WaitTotalNs / wait[1], Max: wait[3] * 1e3}
		}
		if l.Acquisitions > 0 {
			l.Hold = &record.Times{Mean: l.HoldTotalNs / hold[1], Max: hold[3] * 1e3}
		}
		r.Locks = append(r.Locks, l)
	}
	if len(r.Locks) == 0 {
		r.Words = "No lock is in this lock_stat."
		return r, nil
	}
	order(r)
	first := r.Locks[0]
	r.Words = fmt.Sprintf("Waits are longest for %s: %.3g s, and it was held %.3g s in %d acquisitions (measured by the kernel).", first.Site, first.WaitTotalNs/1e9, first.HoldTotalNs/1e9, first.Acquisitions)
	r.Unknown = append(r.Unknown, "how many locks a class has: what it was held is of all of them, and no single one's utilisation")
	if f.Seconds == 0 {
		r.Unknown = append(r.Unknown, "over how many seconds: the file lacks them; --seconds says")
	}
	return r, nil
}
