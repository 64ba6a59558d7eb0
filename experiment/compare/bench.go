package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"hostlock/files"
	"hostlock/results"
)

// Comparison is what sides were found to differ by, whatever they are.
type Comparison interface {
	WriteText(w io.Writer, markdown bool) error
	WriteJSON(w io.Writer) error
	// WriteBench prints what was compared in Go's benchmark format.
	WriteBench(w io.Writer) error
	// Gate judges sides against the first, see [Gate].
	Gate(limit float64) (*Gate, error)
}

// Benchmarks are the runs of one side in Go's benchmark format: measured by `go
// test -bench`, or by whatever else prints it.
type Benchmarks struct {
	Name  string
	Runs  []*benchfmt.Result
	units benchfmt.UnitMetadataMap
}

// Files compares files, each of them results of `lab run --format json`, or
// text in Go's benchmark format. Where one is of benchmarks, results are taken
// as such, too. Its error says in one line what is wrong with a file.
func Files(paths []string) (Comparison, error) {
	var ofRuns []Series
	var all []Benchmarks
	for _, path := range paths {
		text, err := files.Read(path, maxFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; legal: a file of results, or a strategy", path, err)
		}
		if first := bytes.TrimLeft(text, " \t\r\n"); len(first) == 0 || first[0] == '{' || first[0] == '[' {
			runs, err := readRuns(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w; legal: what lab run --format json prints, one result or several, or Go's benchmark format", path, err)
			}
			s := Series{Name: path, Runs: runs}
			ofRuns, all = append(ofRuns, s), append(all, s.benchmarks())
			continue
		}
		b, err := readBenchmarks(path, text)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	if len(ofRuns) == len(paths) {
		return Of(ofRuns)
	}
	return ofBenchmarks(all)
}

// benchmarks are a side's runs in Go's benchmark format.
func (s Series) benchmarks() Benchmarks {
	b := Benchmarks{Name: s.Name, units: benchfmt.UnitMetadataMap{}}
	for _, rec := range results.BenchHead() {
		if u, ok := rec.(*benchfmt.UnitMetadata); ok {
			b.units[u.UnitMetadataKey] = u
		}
	}
	for _, r := range s.Runs {
		b.Runs = append(b.Runs, results.Bench(r))
	}
	return b
}

// sideKey says in a benchmark file which side of a comparison lines are of.
const sideKey = "side"

func readBenchmarks(path string, text []byte) (Benchmarks, error) {
	b := Benchmarks{Name: path}
	r := benchfmt.NewReader(bytes.NewReader(text), path)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			b.Runs = append(b.Runs, rec.Clone())
		case *benchfmt.SyntaxError:
			return b, fmt.Errorf("%w; legal: Go's benchmark format, such as: BenchmarkName 1000 1234 ns/op", rec)
		}
	}
	if err := r.Err(); err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	if len(b.Runs) == 0 {
		return b, fmt.Errorf("%s: holds neither results nor benchmarks; legal: what lab run --format json prints, or Go's benchmark format", path)
	}
	first := b.Runs[0].GetConfig(sideKey)
	for _, run := range b.Runs {
		if side := run.GetConfig(sideKey); side != first {
			return b, fmt.Errorf("%s: holds the sides %s and %s of a comparison; legal: one side a file (benchstat -col side has both)", path, first, side)
		}
	}
	b.units = r.Units()
	return b, nil
}

// series is the values of one benchmark in one unit.
type series struct{ benchmark, unit string }

// values are those of a side, in the order of the file.
func (b Benchmarks) values() (map[series][]float64, []series) {
	out := map[series][]float64{}
	var order []series
	for _, run := range b.Runs {
		name := "Benchmark" + run.Name.String()
		if pkg := run.GetConfig("pkg"); pkg != "" {
			name = pkg + "." + name
		}
		for _, v := range run.Values {
			k := series{name, v.Unit}
			if out[k] == nil {
				order = append(order, k)
			}
			out[k] = append(out[k], v.Value)
		}
	}
	return out, order
}

// BenchReport is what benchmarks of sides differ by.
type BenchReport struct {
	Sides   []Benchmarks
	Changes []Change // of each benchmark and unit that a side has in common with the first
	Alone   int      // benchmarks with a unit that one side has alone
	gate    *Gate
}

func ofBenchmarks(sides []Benchmarks) (*BenchReport, error) {
	rep := &BenchReport{Sides: sides}
	a, order := sides[0].values()
	for _, side := range sides[1:] {
		b, others := side.values()
		for _, k := range others {
			if a[k] == nil {
				rep.Alone++
			}
		}
		for _, k := range order {
			if b[k] == nil {
				rep.Alone++
				continue
			}
			c := Change{
				A: sides[0].Name, B: side.Name, Benchmark: k.benchmark, Figure: k.unit, Runs: min(len(a[k]), len(b[k])),
				MedianA: median(a[k]), MedianB: median(b[k]), P: 1, a: a[k], b: b[k], better: side.units.GetBetter(k.unit),
			}
			if !(c.MedianA > 0) {
				continue // of nothing there is no percentage
			}
			c.Change = pct(c.MedianB / c.MedianA)
			if c.Runs > 1 {
				c.P = benchmath.AssumeNothing.Compare(sample(c.a), sample(c.b)).P
			}
			c.Significant = c.P < alpha
			rep.Changes = append(rep.Changes, c)
		}
	}
	if len(rep.Changes) == 0 {
		return nil, errors.New("the files have no benchmark in common: nothing can be compared")
	}
	return rep, nil
}

// WriteJSON prints the changes as one array.
func (rep *BenchReport) WriteJSON(w io.Writer) error { return writeChanges(w, rep.Changes) }

// WriteBench prints the benchmarks of all sides, each under its name.
func (rep *BenchReport) WriteBench(w io.Writer) error { return writeBench(w, rep.Sides) }

func writeBench(w io.Writer, sides []Benchmarks) error {
	out := benchfmt.NewWriter(w)
	seen := map[benchfmt.UnitMetadataKey]bool{}
	for _, s := range sides {
		var heads []*benchfmt.UnitMetadata
		for k, u := range s.units {
			if !seen[k] {
				heads, seen[k] = append(heads, u), true
			}
		}
		slices.SortFunc(heads, func(a, b *benchfmt.UnitMetadata) int {
			return cmp.Or(strings.Compare(a.Unit, b.Unit), strings.Compare(a.Key, b.Key))
		})
		for _, u := range heads {
			if err := out.Write(u); err != nil {
				return err
			}
		}
	}
	for _, s := range sides {
		for _, run := range s.Runs {
			run := run.Clone()
			run.SetConfig(sideKey, s.Name)
			pos, _ := run.ConfigIndex(sideKey)
			run.Config[pos].File = true
			if err := out.Write(run); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteText prints how many benchmarks differ, and then each of them.
func (rep *BenchReport) WriteText(w io.Writer, markdown bool) error {
	var parts []string
	for _, side := range rep.Sides[1:] {
		var faster, slower, same int
		for _, c := range rep.Changes {
			switch {
			case c.B != side.Name || !c.speed(rep.Changes):
			case !c.Significant:
				same++
			case c.slower():
				slower++
			default:
				faster++
			}
		}
		parts = append(parts, fmt.Sprintf("%s is slower in %d, faster in %d and neither in %d of %s",
			side.Name, slower, faster, same, results.Count(faster+slower+same, "benchmark")))
	}
	t := results.Table{
		Title: strings.Join(parts, "; ") + " than " + rep.Sides[0].Name,
		Head:  []string{"benchmark", "unit", rep.Sides[0].Name, "±", rep.Sides[1].Name, "±", "change, %", "p", "runs"}, Align: "llrrrrrrr",
	}
	if len(rep.Sides) > 2 {
		t.Head[4] = "side"
	}
	last := ""
	for _, c := range rep.Changes {
		name := c.Benchmark
		if len(rep.Sides) > 2 {
			name = c.B + ": " + name
		}
		if name == last {
			name = ""
		} else {
			last = name
		}
		t.Rows = append(t.Rows, []string{name, c.Figure, results.Number(c.MedianA), spread(c.a), results.Number(c.MedianB), spread(c.b),
			fmt.Sprintf("%+.2f", c.Change), c.chance(), fmt.Sprintf("%d, %d", len(c.a), len(c.b))})
	}
	t.Lines = append(t.Lines, "figures are medians, ± their interval at 95 % (∞: fewer than six runs); p by the Mann-Whitney U-test, as benchstat has it")
	if rep.Alone > 0 {
		t.Lines = append(t.Lines, results.Count(rep.Alone, "figure")+" stand in one of the files alone, and are left out")
	}
	if rep.gate != nil {
		t.Lines = append(t.Lines, rep.gate.Words())
	}
	return results.WriteTables(w, markdown, t)
}

// spread is the interval of a median, as benchstat has it.
func spread(x []float64) string {
	return benchmath.AssumeNothing.Summary(sample(x), confidence).PctRangeString()
}

// writeChanges prints changes as one array.
func writeChanges(w io.Writer, changes []Change) error {
	out := slices.Clone(changes)
	for i := range out {
		c := &out[i]
		for _, v := range []**float64{&c.Low, &c.High, &c.FitLow, &c.FitHigh} {
			if *v != nil {
				r := rounded(**v)
				*v = &r
			}
		}
		c.Change = rounded(c.Change)
		if c.Benchmark == "" { // of benchmarks, medians may be nanoseconds, in seconds
			c.MedianA, c.MedianB = rounded(c.MedianA), rounded(c.MedianB)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
