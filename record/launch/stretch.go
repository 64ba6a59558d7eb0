package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hostlock/record"
	"hostlock/record/overlay"
	"hostlock/record/read"
	"hostlock/record/rt"
)

// Build runs the command as it is, with the overlay in place.
func (c *Command) Build(ctx context.Context) error {
	own := *c
	own.plain = c.env
	run, err := own.Once(ctx, "", nil, "")
	if err != nil {
		return err
	}
	return run.Err
}

// Trial is an experiment with longer holds.
type Trial struct {
	Site     string
	Progress string
	Factors  []float64
	Rounds   int
	Dir      string // for the mapped files
}

// Stretch runs the command with one site's holds lengthened by each factor, with
// the same time spent outside the hold, and with neither, in turn, so that what
// drifts meets all of them alike. In all of them each hold of that site is timed.
func (c *Command) Stretch(ctx context.Context, t Trial) ([]record.Stretch, error) {
	type arm struct {
		factor  float64
		outside bool
	}
	arms := []arm{{1, false}}
	for _, f := range t.Factors {
		arms = append(arms, arm{f, false}, arm{f, true})
	}
	rates := make([][]float64, len(arms))
	lasted := make([]float64, len(arms))
	var name, site string
	var contended, busy float64
	for round := range t.Rounds {
		for i := range arms {
			n := (i + round) % len(arms) // no arm is always the first
			dir := filepath.Join(t.Dir, fmt.Sprintf("stretch-%d-%d", round, n))
			if err := os.Mkdir(dir, 0o755); err != nil {
				return nil, err
			}
			out := new(bytes.Buffer)
			own := *c
			own.Stdout = io.MultiWriter(out, c.Stderr)
			run, err := own.Once(ctx, dir, &Stretch{Site: t.Site, Factor: arms[n].factor, Outside: arms[n].outside}, t.Progress)
			if err != nil {
				return nil, err
			}
			if err := errors.Join(ctx.Err(), run.Err); err != nil {
				return nil, err
			}
			if err := os.RemoveAll(dir); err != nil {
				return nil, err
			}
			hit := sitesWith(run.Processes, 1)
			if len(hit) == 0 {
				return nil, &overlay.Refusal{Text: fmt.Sprintf("--stretch: no lock was taken at %s; legal: a function or file:line of the record's table", t.Site)}
			}
			site = hit[0]
			var rate float64
			if rate, name, err = progressOf(out.Bytes(), run.Processes, t.Progress); err != nil {
				return nil, err
			}
			rates[n] = append(rates[n], rate)
			h := holdOf(run.Processes)
			if lasted[n] = h.mean; n == 0 {
				contended, busy = h.contended, h.busy
			}
		}
	}
	var rows []record.Stretch
	for i := 1; i < len(arms); i += 2 {
		own, low, high := ratio(rates[i], rates[0])
		control, least, most := ratio(rates[i+1], rates[0])
		rows = append(rows, record.Stretch{Site: site, Factor: arms[i].factor, RateRatio: own, ControlRatio: control, Low: low, High: high, ControlLow: least, ControlHigh: most, ContendedPct: contended, AddedPct: busy * (arms[i].factor - 1), HoldNs: lasted[i], Rounds: t.Rounds, Progress: name})
	}
	return rows, nil
}

// ratio is the median of the rounds' ratios, and their range.
func ratio(a, b []float64) (mid, low, high float64) {
	var r []float64
	for i := range a {
		r = append(r, a[i]/b[i])
	}
	slices.Sort(r)
	return median(r), r[0], r[len(r)-1]
}

// median of sorted numbers.
func median(v []float64) float64 { return (v[len(v)/2] + v[(len(v)-1)/2]) / 2 }

func sitesWith(processes []*read.Process, bit uint32) []string {
	var out []string
	for _, p := range processes {
		for _, s := range p.Sites {
			if s.Site.Stretch&bit != 0 && s.Kind != rt.Own {
				out = append(out, record.SiteName(s))
			}
		}
	}
	return out
}

// holds are those of the stretched site in one run.
type holds struct {
	mean      float64 // ns
	contended float64 // % of the acquisitions met a holder
	busy      float64 // % of the processes' time, over all goroutines
}

func holdOf(processes []*read.Process) holds {
	var sum, n, met, all, seconds float64
	for _, p := range processes {
		seconds += p.Seconds
		for _, s := range p.Sites {
			if s.Site.Stretch&1 != 0 {
				sum, n = sum+float64(s.HoldNs), n+float64(s.Weight)
				met, all = met+float64(s.Contended), all+float64(s.Acquisitions)
			}
		}
	}
	if n == 0 || all == 0 || seconds == 0 {
		return holds{}
	}
	return holds{mean: sum / n, contended: 100 * met / all, busy: sum / n * all / seconds / 1e7}
}

// progressOf is the rate of the operation that counts: of a benchmark, or of all
// of them (their geometric mean is what a ratio of two runs is taken of), or of
// the acquisitions in a function.
func progressOf(out []byte, processes []*read.Process, name string) (rate float64, what string, err error) {
	if name == "" || strings.HasPrefix(name, "Benchmark") {
		if v, n := Benchmarks(out, name); n > 0 {
			return 1e9 / v, fmt.Sprintf("operations of %d benchmarks", n), nil
		}
		if name != "" {
			return 0, "", &overlay.Refusal{Text: fmt.Sprintf("--progress %s: the command printed no such benchmark", name)}
		}
	}
	bit, what := uint32(1), "acquisitions of that site"
	if name != "" {
		bit, what = 2, "acquisitions in "+name
	}
	for _, p := range processes {
		for _, s := range p.Sites {
			if s.Site.Stretch&bit != 0 && p.Seconds > 0 {
				rate += float64(s.Acquisitions) / p.Seconds
			}
		}
	}
	if rate == 0 {
		return 0, "", &overlay.Refusal{Text: fmt.Sprintf("--progress %s: no lock was taken in that function; legal: a benchmark, or a function that takes one", name)}
	}
	return rate, what, nil
}

// Benchmarks reads ns/op of go test's output: the geometric mean over the
// benchmarks whose name begins so, and how many lines there were.
func Benchmarks(out []byte, name string) (ns float64, n int) {
	product := 1.0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") || !strings.HasPrefix(f[0], name) || f[3] != "ns/op" {
			continue
		}
		if v, err := strconv.ParseFloat(f[2], 64); err == nil && v > 0 {
			product, n = product*v, n+1
		}
	}
	if n == 0 {
		return 0, 0
	}
	return math.Pow(product, 1/float64(n)), n
}

// Overhead runs the command plain and recorded in turn, and returns the median
// of what the recording adds, in percent, of ns/op where it prints benchmarks,
// else of its CPU time.
func (c *Command) Overhead(ctx context.Context, tmp string, pairs int) (pct float64, how string, err error) {
	var got []float64
	for i := range pairs {
		var cost [2]float64
		for k := range 2 {
			n := (k + i) % 2 // plain first, then recorded first
			dir := ""
			if n == 1 {
				dir = filepath.Join(tmp, fmt.Sprintf("pair-%d", i))
				if err := os.Mkdir(dir, 0o755); err != nil {
					return 0, "", err
				}
			}
			out := new(bytes.Buffer)
			own := *c
			own.Stdout = io.MultiWriter(out, c.Stderr)
			if len(own.Args) > 1 && filepath.Base(own.Args[0]) == "go" && own.Args[1] == "test" {
				own.plain = append(slices.Clone(c.plain), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -count=1"))
			}
			run, err := own.Once(ctx, dir, nil, "")
			if err != nil {
				return 0, "", err
			}
			if err := errors.Join(ctx.Err(), run.Err); err != nil {
				return 0, "", err
			}
			if v, m := Benchmarks(out.Bytes(), ""); m > 0 {
				cost[n], how = v, "ns/op"
			} else {
				cost[n], how = run.CPU.Seconds(), "CPU time"
			}
		}
		if cost[0] > 0 {
			got = append(got, 100*(cost[1]/cost[0]-1))
		}
	}
	if len(got) == 0 {
		return 0, "", errors.New("the command took no CPU time, so that no overhead can be told")
	}
	slices.Sort(got)
	return median(got), how, nil
}
