package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/compare"
	"hostlock/experiment/evidence"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// Defaults of a request.
const (
	DefaultTolerance = 2.0 // percent of a target
	DefaultBox       = 4.0 // a factor either way
	DefaultSearches  = 16

	// mostWindow is how long a run measures where nothing says so, at most: some
	// ten thousand commands, of some hundred runs.
	mostWindow = 250 * time.Millisecond
)

// Request is what is to be fitted.
type Request struct {
	Experiment *spec.Spec
	All        experiment.Request // its Machine is sim
	Targets    []evidence.Target  // a Tolerance of 0 is that of the request
	Tolerance  float64            // percent of a target; 0 is [DefaultTolerance]
	Vary       []string           // "NAME", or "NAME=FROM..TO"
	Box        float64            // a factor either way, where no range is given; 0 is [DefaultBox]
	Searches   int                // 0 is [DefaultSearches]
	Answers    []compare.Side     // against the experiment's own strategy
}

// ParseTarget reads "FIGURE=VALUE". Its error is a [spec.UsageError].
func ParseTarget(text string) (evidence.Target, error) {
	name, value, _ := strings.Cut(text, "=")
	t := evidence.Target{Name: strings.TrimPrefix(strings.TrimSpace(name), "cpu.")}
	if _, ok := new(results.Result).Metric(t.Name); !ok {
		legal := []string{"iops", "throughput_mb_s", "host_lock_pct", "contention_pct", "busy_pct"}
		for _, f := range results.Functions {
			legal = append(legal, f+"_pct")
		}
		return t, spec.Usagef("no figure %q; legal: FIGURE=VALUE, the figure one of %s", t.Name, strings.Join(legal, ", "))
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return t, spec.Usagef("%s=%s; legal: a number above 0, such as %s=30", t.Name, value, t.Name)
	}
	t.Value = v
	return t, nil
}

// Knob is a parameter that varies, and its box.
type Knob struct {
	Name     string
	From, To float64 // in the parameter's unit
	own      param.Value
}

// value is the parameter's at a place in the box, -1 to 1 on a scale of
// logarithms, in its own unit.
func (k Knob) value(z float64) float64 {
	n := math.Exp((math.Log(k.From)*(1-z) + math.Log(k.To)*(1+z)) / 2)
	if k.own.Kind == param.Int || k.own.Kind == param.Bytes {
		n = math.Round(n)
	}
	return n
}

// at is the same as a setting.
func (k Knob) at(z float64) param.Setting {
	n := k.value(z)
	text := strconv.FormatFloat(n, 'g', 6, 64)
	switch k.own.Kind {
	case param.Duration:
		text = strconv.FormatFloat(n, 'f', 3, 64) + "ns"
	case param.Int, param.Bytes:
		text = strconv.FormatFloat(n, 'f', 0, 64)
	}
	return param.Setting{Name: k.Name, Value: text, Source: "fitted set"}
}

// place is where a value lies in the box.
func (k Knob) place(v float64) float64 {
	return 2*math.Log(v/k.From)/math.Log(k.To/k.From) - 1
}

// Plan is a fit that can be run.
type Plan struct {
	req   Request
	knobs []Knob
}

// NewPlan checks a request, both ends of its box and every answer, before
// anything is run. Its error is a [spec.UsageError].
func NewPlan(r Request) (*Plan, error) {
	r.Tolerance, r.Box = cmp.Or(r.Tolerance, DefaultTolerance), cmp.Or(r.Box, DefaultBox)
	r.Searches = cmp.Or(r.Searches, DefaultSearches)
	r.All.Machine = "sim"
	if r.All.Duration == 0 {
		r.All.Duration = min(cmp.Or(r.Experiment.Duration, mostWindow), mostWindow)
	}
	switch {
	case len(r.Targets) == 0:
		return nil, spec.Usagef("nothing to fit to; legal: --target FIGURE=VALUE, such as --target iops=198000")
	case len(r.Vary) == 0:
		return nil, spec.Usagef("nothing to vary; legal: --vary NAME,NAME, such as --vary midlayer.section,fs.cpu")
	case !(r.Box > 1):
		return nil, spec.Usagef("a box of %g; legal: a factor above 1", r.Box)
	case !(r.Tolerance > 0):
		return nil, spec.Usagef("a tolerance of %g %%; legal: above 0", r.Tolerance)
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		t.Tolerance = cmp.Or(t.Tolerance, r.Tolerance/100*t.Value)
	}
	p := &Plan{req: r}
	base, err := experiment.NewPlan(r.Experiment, r.All)
	if err != nil {
		return nil, err
	}
	for _, text := range r.Vary {
		k, err := p.knob(base, text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.knobs, func(other Knob) bool { return other.Name == k.Name }) {
			return nil, spec.Usagef("--vary: %s is there twice; legal: each name once", k.Name)
		}
		p.knobs = append(p.knobs, k)
	}
	for _, side := range append([]compare.Side{{}}, r.Answers...) {
		for _, z := range []float64{-1, 1} {
			at := make([]float64, len(p.knobs))
			for i := range at {
				at[i] = z
			}
			if _, err := p.one(at, side); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func (p *Plan) knob(base *experiment.Plan, text string) (Knob, error) {
	name, ends, ranged := strings.Cut(text, "=")
	k := Knob{Name: strings.TrimSpace(name)}
	number := func(value string) (float64, error) {
		r := p.req.All
		r.Set = append(slices.Clone(r.Set), param.Setting{Name: k.Name, Value: value, At: param.Place{Flag: "--vary"}})
		plan, err := experiment.NewPlan(p.req.Experiment, r)
		if err != nil {
			return 0, err
		}
		v, _ := plan.Param(k.Name)
		return v.Num, nil
	}
	v, ok := base.Param(k.Name)
	if !ok {
		_, err := number("1") // says which names there are
		if wrong := (*param.Error)(nil); !errors.As(err, &wrong) || !wrong.Unknown {
			err = spec.Usagef("--vary: %s is nothing that driver %s or workload %s read; legal: a parameter that this run reads", k.Name, base.Identity().Driver, base.Identity().Workload)
		}
		return k, err
	}
	k.own = v
	if v.Kind == param.Choice || v.Kind == param.Bool {
		return k, spec.Usagef("--vary: %s is no number; legal: parameters that are times, sizes or numbers", k.Name)
	}
	if ranged {
		from, to, ok := strings.Cut(ends, "..")
		var err error
		if !ok {
			return k, spec.Usagef("--vary %s; legal: NAME or NAME=FROM..TO", text)
		}
		if k.From, err = number(from); err != nil {
			return k, err
		}
		if k.To, err = number(to); err != nil {
			return k, err
		}
	} else {
		k.From, k.To = v.Num/p.req.Box, v.Num*p.req.Box
		if v.Min > 0 {
			k.From = max(k.From, v.Min)
		}
		if v.Max > 0 {
			k.To = min(k.To, v.Max)
		}
	}
	if !(k.From > 0) || !(k.To > k.From) {
		return k, spec.Usagef("--vary: the box of %s is %g to %g; legal: NAME=FROM..TO, FROM above 0 and below TO", k.Name, k.From, k.To)
	}
	return k, nil
}

// settings are the varied parameters' values at a place of the box.
func (p *Plan) settings(z []float64) []param.Setting {
	set := make([]param.Setting, len(z))
	for i, k := range p.knobs {
		set[i] = k.at(z[i])
	}
	return set
}

// one is a run at a place of the box.
func (p *Plan) one(z []float64, side compare.Side) (*experiment.Plan, error) {
	r := p.req.All
	r.Strategy = cmp.Or(side.Strategy, r.Strategy)
	r.Set = slices.Concat(p.req.All.Set, p.settings(z), side.Set)
	return experiment.NewPlan(p.req.Experiment, r)
}
