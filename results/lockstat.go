package results

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// The layout of /proc/lock_stat: a name, then twelve columns.
const (
	statName    = 40
	statColumns = 12
	statWidth   = 14
	statRule    = statName + 1 + statColumns*(statWidth+1)
	statPoints  = 4 // as many places as the kernel keeps
)

// writeLockStat prints the locks as version 0.4 of /proc/lock_stat does, so
// that whatever reads the kernel's reads ours. A place is a section of the
// path and not an address: its address and offset are zeros.
func writeLockStat(w io.Writer, r *Result) error {
	var b bytes.Buffer
	rule := strings.Repeat("-", statRule)
	fmt.Fprintf(&b, "lock_stat version 0.4\n%s\n%*s", rule, statName, "class name")
	for _, column := range []string{
		"con-bounces", "contentions", "waittime-min", "waittime-max", "waittime-total", "waittime-avg",
		"acq-bounces", "acquisitions", "holdtime-min", "holdtime-max", "holdtime-total", "holdtime-avg",
	} {
		fmt.Fprintf(&b, " %*s", statWidth, column)
	}
	fmt.Fprintf(&b, "\n%s\n\n", rule)
	for _, l := range r.Locks {
		writeLock(&b, l)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeLock(b *bytes.Buffer, l Lock) {
	fmt.Fprintf(b, "%*s:%*d %*d", statName, l.Class, statWidth, l.ConBounces, statWidth, l.Contentions)
	statTimes(b, l.Wait)
	fmt.Fprintf(b, " %*d %*d", statWidth, l.AcqBounces, statWidth, l.Acquisitions)
	statTimes(b, l.Hold)
	b.WriteByte('\n')
	places := writePoints(b, l.Class, l.Waiters) + writePoints(b, l.Class, l.Holders)
	if places > 0 {
		fmt.Fprintf(b, "\n%s\n\n", strings.Repeat(".", statRule))
	}
}

// statTimes prints four times in microseconds with two decimals, rounded as
// the kernel does.
func statTimes(b *bytes.Buffer, t Times) {
	for _, ns := range []int64{t.Min, t.Max, t.Total, t.Avg} {
		ns += 5
		fmt.Fprintf(b, " %*s", statWidth, fmt.Sprintf("%d.%02d", ns/1000, ns%1000/10))
	}
}

// writePoints prints where a lock was waited for or held, the most first, and
// says how many places there are.
func writePoints(b *bytes.Buffer, class string, points []Point) int {
	points = points[:min(len(points), statPoints)]
	for i, p := range points {
		if i == 0 {
			n := min(len(class), statName)
			fmt.Fprintf(b, "%s%s\n", strings.Repeat(" ", statName-n), strings.Repeat("-", n))
		}
		section := p.Section
		if section == "" {
			section = "unknown"
		}
		fmt.Fprintf(b, "%*s %*d %*s %s+0x0/0x0\n", statName, class, statWidth, p.Count, 2*statWidth+1, "[<0000000000000000>]", section)
	}
	return len(points)
}

// Lock has lock_stat's columns for one class of lock.
type Lock struct {
	Class        string `json:"class"`
	Acquisitions int64  `json:"acquisitions"`
	Contentions  int64  `json:"contentions"` // acquisitions that had to wait
	ConBounces   int64  `json:"con_bounces"` // contentions where the lock was last held on another core
	AcqBounces   int64  `json:"acq_bounces"` // acquisitions where it was
	Wait         Times  `json:"wait_ns"`     // from contended to acquired
	Hold         Times  `json:"hold_ns"`     // from acquired to released

	HoldSampled bool    `json:"-"` // Hold comes from some of the acquisitions
	Waiters     []Point `json:"-"` // where threads waited, most often first
	Holders     []Point `json:"-"` // where the lock was held
}

// Times are nanoseconds as lock_stat sums them up: Min is the shortest that
// is not zero.
type Times struct {
	Min   int64 `json:"min"`
	Max   int64 `json:"max"`
	Total int64 `json:"total"`
	Avg   int64 `json:"avg"`
}

// Point is a place of the path that took a lock.
type Point struct {
	Section string
	Count   int64
}
