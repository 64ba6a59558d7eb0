package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// SweepFormatter prints a sweep in one format.
type SweepFormatter struct {
	Name  string
	About string // one line
	Write func(io.Writer, *Sweep) error
}

var sweepFormatters = []SweepFormatter{
	{"text", "one table for people", func(w io.Writer, s *Sweep) error { return printText(w, sweepSections(s.rounded())) }},
	{"json", "one object, which --resume and merge read again", writeSweepJSON},
	{"csv", "one point a line", writeSweepCSV},
	{"markdown", "the table of text, for a page", func(w io.Writer, s *Sweep) error { return printMarkdown(w, sweepSections(s.rounded())) }},
}

// SweepFormats lists the formats of a sweep, text first.
func SweepFormats() []SweepFormatter { return append([]SweepFormatter(nil), sweepFormatters...) }

// SweepFormat finds a format by its name; its error names them all.
func SweepFormat(name string) (SweepFormatter, error) {
	var names []string
	for _, f := range sweepFormatters {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return SweepFormatter{}, fmt.Errorf("unknown format %q; legal: %s", name, strings.Join(names, ", "))
}

// WriteJSON prints the sweep as [ReadSweep] reads it.
func (s *Sweep) WriteJSON(w io.Writer) error { return writeSweepJSON(w, s) }

func writeSweepJSON(w io.Writer, s *Sweep) error { return encode(w, s.rounded()) }

func writeSweepCSV(w io.Writer, s *Sweep) error {
	s = s.rounded()
	c := &csvFigures{w: csv.NewWriter(w)}
	head := []string{"strategy", "cores", "hbas", "threads"}
	for _, a := range s.Definition.Axes {
		head = append(head, a.Name)
	}
	head = append(head, "seed", "duration_s", "warmup_s", "iops", "throughput_mb_s", "busy_pct", "host_lock_pct",
		"contention_pct", "latency_p50_us", "latency_p99_us", "gain_pct", "theory_iops", "theory_host_lock_pct")
	c.row(head...)
	for i := range s.Points {
		p := &s.Points[i]
		row := []string{p.Strategy, itoa(p.Cores), itoa(p.HBAs), itoa(p.Threads)}
		for _, a := range s.Definition.Axes {
			row = append(row, p.Value(a.Name))
		}
		row = append(row, utoa(p.Seed))
		for _, v := range []float64{p.Duration, p.Warmup, p.IOPS, p.ThroughputMB, p.Busy, p.HostLock, p.Contention, p.LatencyP50, p.LatencyP99} {
			row = append(row, exact(v))
		}
		gain, iops, share := "", "", ""
		if p.Gain != nil {
			gain = exact(*p.Gain)
		}
		if p.Theory != nil {
			iops, share = exact(p.Theory.IOPS), exact(p.Theory.Contention)
		}
		c.row(append(row, gain, iops, share)...)
	}
	return c.flush()
}
