package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment"
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
	Workload   string   // a name or a file
	Set        []string // "name=values", see [Expand]; several values make an axis
	Seeds      string   // see [Expand]; ranges go up by one
	// Duration is what each point measures, Warmup what it leaves out before,
	// in virtual time; 0 goes by the cores, see [Budget].
	Duration, Warmup time.Duration
}

// define turns a request into a sweep's definition, every name in its own
// spelling.
func (r Request) define() (*experiment.Spec, results.SweepDef, error) {
	d := results.SweepDef{Machine: "sim", Weak: r.Weak, Duration: r.Duration.Seconds(), Warmup: r.Warmup.Seconds()}
	spec, err := experiment.Load(r.Experiment)
	if err != nil {
		return nil, d, err
	}
	d.Experiment, d.Title, d.ExperimentSHA256 = spec.Name, spec.Title, sum(spec.FileText())
	w, err := workload.Load(or(r.Workload, spec.WorkloadPath()))
	if err != nil {
		return nil, d, usage(err)
	}
	d.Workload, d.WorkloadSHA256 = w.Name(), sum(w.Text())
	driver, err := dispatch.LookupDriver(or(r.Driver, spec.Driver))
	if err != nil {
		return nil, d, usage(err)
	}
	d.Driver = driver.Name
	if d.Strategies, err = strategies(r.Strategies, spec); err != nil {
		return nil, d, err
	}
	if d.Cores, err = cores(r.Cores, spec); err != nil {
		return nil, d, err
	}
	if d.Seeds, err = seeds(r.Seeds, spec); err != nil {
		return nil, d, err
	}
	return spec, d, r.settings(&d)
}

func strategies(names []string, spec *experiment.Spec) ([]string, error) {
	if len(names) == 0 {
		names = []string{spec.Strategy}
	}
	var out []string
	for _, n := range names {
		s, err := dispatch.LookupStrategy(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		for _, have := range out {
			if have == s.Name {
				return nil, experiment.Usagef("--strategy: %s is there twice; legal: each strategy once", s.Name)
			}
		}
		out = append(out, s.Name)
	}
	return out, nil
}

func cores(text string, spec *experiment.Spec) ([]int, error) {
	if text == "" {
		return []int{spec.Cores}, nil
	}
	values, err := Expand(text, false)
	if err != nil {
		return nil, experiment.Usagef("--cores: %w", err)
	}
	var out []int
	for _, v := range values {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > experiment.MaxCores {
			return nil, experiment.Usagef("--cores %q: legal: whole numbers, 1 to %d, and ranges of them such as 1..256", v, experiment.MaxCores)
		}
		out = append(out, n)
	}
	return out, nil
}

func seeds(text string, spec *experiment.Spec) ([]uint64, error) {
	if text == "" {
		return []uint64{spec.Seed}, nil
	}
	values, err := Expand(text, true)
	if err != nil {
		return nil, experiment.Usagef("--seeds: %w", err)
	}
	var out []uint64
	for _, v := range values {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return nil, experiment.Usagef("--seeds %q: legal: whole numbers, 0 or more, and ranges of them such as 1..20", v)
		}
		out = append(out, n)
	}
	return out, nil
}

// settings sorts the assignments into those with one value and axes.
func (r Request) settings(d *results.SweepDef) error {
	d.Set, d.Axes = []results.Setting{}, []results.SweepAxis{}
	seen := map[string]bool{}
	for _, kv := range r.Set {
		name, text, ok := strings.Cut(kv, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		if !ok || name == "" || text == "" {
			return experiment.Usagef("--set %q; legal: name=value or name=a,b,c or name=A..B, such as mptsas.queuecommand=0.5us..12us", kv)
		}
		if seen[name] {
			return experiment.Usagef("--set %s is there twice; legal: each name once, its values with commas between them", name)
		}
		seen[name] = true
		values, err := Expand(text, false)
		if err != nil {
			return experiment.Usagef("--set %s: %w", name, err)
		}
		if len(values) == 1 {
			d.Set = append(d.Set, results.Setting{Name: name, Value: values[0]})
			continue
		}
		d.Axes = append(d.Axes, results.SweepAxis{Name: name, Values: values})
	}
	return nil
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// usage makes any error one about the request.
func usage(err error) error { return experiment.Usagef("%w", err) }
