package results

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hostlock/files"
)

// ReadSweep reads a sweep's JSON. Its error says in one line why the text is
// none, with the line where that shows.
func ReadSweep(text []byte) (*Sweep, error) {
	// A run's JSON is an object with a schema too; what tells them apart is
	// the sweep.
	var head struct {
		Schema int              `json:"schema"`
		Sweep  *json.RawMessage `json:"sweep"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("is no JSON object: %s", files.PlainJSON(text, err))
	}
	switch {
	case head.Sweep == nil:
		return nil, errors.New("is no sweep; legal: a file that lab sweep wrote, by --resume or --format json")
	case head.Schema != SweepSchema:
		return nil, fmt.Errorf("is a sweep of schema %d; legal: %d", head.Schema, SweepSchema)
	}
	var s Sweep
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("is no sweep: %s", files.PlainJSON(text, err))
	}
	s.Definition.Experiment = ExperimentName(s.Definition.Experiment)
	var given struct {
		Points []struct {
			IOPS *float64 `json:"iops"`
		} `json:"points"`
	}
	if json.Unmarshal(text, &given) == nil {
		for i, p := range given.Points {
			if p.IOPS == nil {
				return nil, fmt.Errorf("has no iops among the figures of its point %d; legal: a file as lab sweep wrote it", i+1)
			}
		}
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%w; legal: a file as lab sweep wrote it", err)
	}
	return &s, nil
}

// check finds what no sweep has, and what an edited file may.
func (s *Sweep) check() error {
	d := &s.Definition
	switch {
	case len(d.Strategies) == 0:
		return errors.New("is a sweep without strategies")
	case len(d.Cores) == 0, len(d.Seeds) == 0:
		return errors.New("is a sweep without cores or seeds")
	}
	for _, n := range d.Cores {
		if n < 1 {
			return fmt.Errorf("is a sweep over %d cores", n)
		}
	}
	for _, a := range d.Axes {
		if a.Name == "" || len(a.Values) == 0 {
			return fmt.Errorf("is a sweep over %q without values", a.Name)
		}
	}
	for i := range s.Points {
		p := &s.Points[i]
		for _, share := range []float64{p.Busy, p.HostLock, p.Contention} {
			if share > 100.5 {
				return fmt.Errorf("has a share of %g %% among the figures of its point %d", share, i+1)
			}
		}
		for _, v := range []float64{p.Duration, p.Warmup, p.IOPS, p.ThroughputMB, p.Busy, p.HostLock, p.Contention, p.LatencyP50, p.LatencyP99} {
			if v < 0 || v > 1e15 {
				return fmt.Errorf("has %g among the figures of its point %d", v, i+1)
			}
		}
	}
	return nil
}

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
		"contention_pct", "latency_p50_us", "latency_p99_us", "gain_pct")
	bounds := slices.ContainsFunc(s.Points, func(p SweepPoint) bool { return p.Bound != nil })
	if bounds {
		head = append(head, "bound", "bound_limit")
	}
	if s.WithTheory {
		head = append(head, "theory_iops", "theory_host_lock_pct")
	}
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
		row = append(row, gain)
		if bounds {
			by, limit := "", ""
			if p.Bound != nil {
				by, limit = p.Bound.By, exact(p.Bound.Limit)
			}
			row = append(row, by, limit)
		}
		if s.WithTheory {
			row = append(row, iops, share)
		}
		c.row(row...)
	}
	return c.flush()
}
