package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
	"hostlock/workload"
)

// Request is a sweep as the command line writes it. The zero value of a field
// leaves it to the experiment.
type Request struct {
	Experiment string   // a name or a file
	Strategies []string // the first is what gains are against
	Cores      string   // see [Expand]
	Weak       bool     // the load grows with the cores
	Driver     string
	Workload   string          // a name or a file
	Set        []param.Setting // a value may be several, see [Expand], which make an axis
	Seeds      string          // see [Expand]; ranges go up by one
	// Duration is what each point measures, Warmup what it leaves out before,
	// in virtual time; 0 goes by the cores, see [Budget].
	Duration, Warmup time.Duration
}

// define turns a request into a sweep's definition, every name in its own
// spelling.
func (r Request) define() (*spec.Spec, results.SweepDef, error) {
	d := results.SweepDef{Machine: "sim", Weak: r.Weak, Duration: r.Duration.Seconds(), Warmup: r.Warmup.Seconds()}
	e, err := spec.Load(r.Experiment)
	if err != nil {
		return nil, d, err
	}
	d.Experiment, d.Title, d.ExperimentSHA256 = e.Name, e.Title, sum(e.FileText())
	w, err := workload.Load(cmp.Or(r.Workload, e.WorkloadPath()))
	if err != nil {
		return nil, d, usage(err)
	}
	d.Workload, d.WorkloadSHA256 = w.Name(), sum(w.Text())
	driver, err := dispatch.LookupDriver(cmp.Or(r.Driver, e.Driver))
	if err != nil {
		return nil, d, usage(err)
	}
	d.Driver = driver.Name
	if d.Strategies, err = strategies(r.Strategies, e); err != nil {
		return nil, d, err
	}
	if d.Cores, err = cores(r.Cores, e); err != nil {
		return nil, d, err
	}
	if d.Seeds, err = seeds(r.Seeds, e); err != nil {
		return nil, d, err
	}
	return e, d, r.settings(&d)
}

func strategies(names []string, e *spec.Spec) ([]string, error) {
	if len(names) == 0 {
		names = []string{e.Strategy}
	}
	var out []string
	for _, n := range names {
		s, err := dispatch.LookupStrategy(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		for _, have := range out {
			if have == s.Name {
				return nil, spec.Usagef("--strategy: %s is there twice; legal: each strategy once", s.Name)
			}
		}
		out = append(out, s.Name)
	}
	return out, nil
}

func cores(text string, e *spec.Spec) ([]int, error) {
	if text == "" {
		return []int{e.Cores}, nil
	}
	values, err := Expand(text, false)
	if err != nil {
		return nil, spec.Usagef("--cores: %w", err)
	}
	var out []int
	for _, v := range values {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > spec.MaxCores {
			return nil, spec.Usagef("--cores %q: legal: whole numbers, 1 to %d, and ranges of them such as 1..256", v, spec.MaxCores)
		}
		out = append(out, n)
	}
	return out, nil
}

func seeds(text string, e *spec.Spec) ([]uint64, error) {
	if text == "" {
		return []uint64{e.Seed}, nil
	}
	values, err := Expand(text, true)
	if err != nil {
		return nil, spec.Usagef("--seeds: %w", err)
	}
	var out []uint64
	for _, v := range values {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return nil, spec.Usagef("--seeds %q: legal: whole numbers, 0 or more, and ranges of them such as 1..20", v)
		}
		out = append(out, n)
	}
	return out, nil
}

// settings sorts the assignments into those with one value and axes.
func (r Request) settings(d *results.SweepDef) error {
	d.Set, d.Axes = []param.Setting{}, []results.SweepAxis{}
	seen := map[string]bool{}
	for _, v := range r.Set {
		if seen[v.Name] {
			return spec.ErrorAt(v.At, v.Name, "%s is there twice; legal: each name once, its values with commas between them", v.Name)
		}
		seen[v.Name] = true
		values, err := Expand(v.Value, false)
		if err != nil {
			return spec.ErrorAt(v.At, v.Name, "%s: %w", v.Name, err)
		}
		if len(values) == 1 {
			v.Value = values[0]
			d.Set = append(d.Set, v)
			continue
		}
		d.Axes = append(d.Axes, results.SweepAxis{Name: v.Name, Values: values})
	}
	return nil
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// usage makes any error one about the request.
func usage(err error) error { return spec.Usagef("%w", err) }
