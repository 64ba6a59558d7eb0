package fio

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hostlock/workload"
)

// group is what one part of the report is about: a clone, or all jobs of a group
// with group_reporting.
type group struct {
	name   string
	number int
	jobs   int
	sum    tally
}

func (r *run) groups() []*group {
	var out []*group
	shared := map[int]*group{}
	for _, th := range r.threads {
		j := th.clone.job
		g := shared[j.group]
		if g == nil || !j.together {
			g = &group{name: j.name, number: j.group}
			out = append(out, g)
			if j.together {
				shared[j.group] = g
			}
		}
		g.jobs++
		g.sum.add(&th.sum)
	}
	return out
}

// Operations implements workload.Run: all jobs together, and then by group of the
// report where there are several.
func (r *run) Operations() []workload.Count {
	var all tally
	groups := r.groups()
	for _, g := range groups {
		all.add(&g.sum)
	}
	requests := all.handed
	if r.cache != nil {
		flushed, _ := r.cache.Flushed()
		requests += flushed
	}
	out := append(counts("", &all), workload.Count{Name: "requests", Value: requests})
	if len(groups) < 2 {
		return out
	}
	const most = 64 // more would be a table of its own
	for i, g := range groups[:min(len(groups), most)] {
		out = append(out, counts(fmt.Sprintf("%d:%s:", i, g.name), &g.sum)...)
	}
	return out
}

func counts(prefix string, y *tally) []workload.Count {
	out := []workload.Count{
		{Name: prefix + "read_ios", Value: y.did[reads].ops}, {Name: prefix + "read_bytes", Value: y.did[reads].bytes},
		{Name: prefix + "write_ios", Value: y.did[writes].ops}, {Name: prefix + "write_bytes", Value: y.did[writes].bytes},
		{Name: prefix + "flushes", Value: y.flushes},
	}
	if y.errors > 0 {
		out = append(out, workload.Count{Name: prefix + "errors", Value: y.errors})
	}
	return out
}

// NativeReport implements workload.Run: the lines of fio's normal output that
// the lab has figures for.
func (r *run) NativeReport(w io.Writer, window time.Duration) error {
	var b strings.Builder
	seconds := max(window.Seconds(), 1e-9)
	for _, g := range r.groups() {
		fmt.Fprintf(&b, "%s: (groupid=%d, jobs=%d): err= 0\n", g.name, g.number, g.jobs)
		for d, s := range g.sum.did {
			if s.ops == 0 {
				continue
			}
			rate := float64(s.bytes) / seconds
			fmt.Fprintf(&b, "  %5s: IOPS=%s, BW=%s (%s)(%s/%dmsec)\n", [2]string{"read", "write"}[d],
				short(float64(s.ops)/seconds), binary(rate)+"/s", decimal(rate)+"/s", binary(float64(s.bytes)), window.Milliseconds())
			unit, by := "nsec", 1.0
			switch m := s.mean(); {
			case m >= 1e7:
				unit, by = "msec", 1e6
			case m >= 1e4:
				unit, by = "usec", 1e3
			}
			fmt.Fprintf(&b, "     lat (%s): min=%.0f, max=%.0f, avg=%.2f, stdev=%.2f\n", unit,
				float64(s.least)/by, float64(s.most)/by, s.mean()/by, s.deviation()/by)
		}
		total := int64(0)
		for _, n := range g.sum.depth {
			total += n
		}
		b.WriteString("  IO depths    :")
		for i, n := range g.sum.depth {
			fmt.Fprintf(&b, " %s=%.1f%%", [...]string{"1", "2", "4", "8", "16", "32", ">=64"}[i], 100*float64(n)/float64(max(total, 1)))
			if i < 6 {
				b.WriteByte(',')
			}
		}
		fmt.Fprintf(&b, "\n     issued rwts: total=%d,%d,0,%d\n", g.sum.did[reads].ops, g.sum.did[writes].ops, g.sum.flushes)
		if g.sum.errors > 0 {
			fmt.Fprintf(&b, "     errors    : total=%d\n", g.sum.errors)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// short is a rate with three digits and k or M.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.2fM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.1fk", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}

func binary(v float64) string { return scaled(v, 1024, "B", "KiB", "MiB", "GiB", "TiB") }
func decimal(v float64) string {
	return scaled(v, 1000, "B", "kB", "MB", "GB", "TB")
}

func scaled(v, base float64, units ...string) string {
	i := 0
	for ; v >= base && i < len(units)-1; i++ {
		v /= base
	}
	if v < 10 && i > 0 {
		return fmt.Sprintf("%.2f%s", v, units[i])
	}
	return fmt.Sprintf("%.0f%s", v, units[i])
}
