package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hostlock/machine/param"
	"hostlock/results"
)

// Limits of an experiment's numbers. They are far beyond what the model is
// meant for, and keep a slip of the finger from eating all memory.
const (
	MaxCores   = 4096
	MaxThreads = 1 << 20
	MaxHBAs    = 4096
	maxLUNs    = 1 << 16
)

// Parse reads an experiment's file, strictly: an unknown key, a value of the
// wrong type or out of its range, a key given twice are all faults. The error
// is a [UsageError] with one line "name:line: ..." for each.
func Parse(name string, text []byte) (*Spec, error) {
	d := decode(name, text, experimentKeys)
	if err := d.err(); err != nil {
		return nil, err
	}
	s := d.spec()
	if err := d.err(); err != nil {
		return nil, err
	}
	s.File, s.text, s.at = name, slices.Clone(text), d.at
	return s, nil
}

var nameRE = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

func (d *document) spec() *Spec {
	f := d.root()
	s := &Spec{
		Name:         f.need("name"),
		Title:        f.text("title", ""),
		About:        f.text("about", ""),
		Source:       f.text("source", ""),
		Strategy:     f.need("strategy"),
		Driver:       d.driverName(),
		Workload:     f.need("workload"),
		Machine:      f.text("machine", "sim"),
		Cores:        f.count("cores", -1, MaxCores),
		Sockets:      f.count("sockets", 1, MaxCores),
		Threads:      f.count("threads", 0, MaxThreads),
		HBAs:         f.count("hbas", 1, MaxHBAs),
		LUNsPerHBA:   f.count("luns_per_hba", 1, maxLUNs),
		Duration:     f.duration("duration", true),
		Warmup:       f.duration("warmup", false),
		LiveDuration: f.duration("live_duration", true),
		Seed:         f.seed(),
		NotGiven:     f.texts("not_given"),
		UsedToFit:    f.texts("used_to_fit"),
	}
	for _, t := range f.tables("scale") {
		s.ScaleParameters = t.texts("parameters")
	}
	if s.Name != "" && !nameRE.MatchString(s.Name) {
		d.fault("name", "name %q; legal: letters, digits, - and _", s.Name)
	}
	if s.Machine != "sim" && s.Machine != "live" {
		d.fault("machine", "unknown machine %q; legal: live, sim", s.Machine)
	}
	if s.Sockets > 0 && s.Cores > 0 && s.Cores%s.Sockets != 0 {
		d.fault("sockets", "sockets=%d does not divide cores=%d", s.Sockets, s.Cores)
	}
	s.Parameters = slices.Concat(d.ownDriver(), d.parameters())
	s.Cases = d.cases()
	d.published(s)
	s.Name, s.Source = results.ExperimentName(s.Name), results.ExperimentName(s.Source)
	return s
}

func (d *document) parameters() []param.Setting {
	first := map[string]param.Place{}
	var out []param.Setting
	for _, t := range d.root().tables("parameter") {
		v := param.Setting{
			Name: t.text("name", ""), Fitted: t.flag("fitted"), Source: t.text("source", ""), Doubt: t.text("doubt", ""),
			NameAt: d.place(t.path + "name"), At: d.place(t.path + "value"),
		}
		if v.Name == "" {
			t.fault("", "parameter without a name")
			continue
		}
		var ok bool
		if v.Value, ok = valueText(t.values["value"]); !ok {
			t.fault("value", "%s: value is missing or neither text, a number nor a boolean", v.Name)
		}
		if at, dup := first[v.Name]; dup {
			t.fault("name", "parameter %s given twice; first on line %d", v.Name, at.Line)
		}
		if v.Fitted && v.Source == "" {
			t.fault("", "%s: a fitted value needs a source that says by what it was fitted", v.Name)
		}
		first[v.Name] = v.NameAt
		out = append(out, v)
	}
	return out
}

func (d *document) cases() []Case {
	seen := map[string]bool{}
	var out []Case
	for _, t := range d.root().tables("case") {
		c := Case{Name: t.text("name", ""), Strategy: t.text("strategy", ""), Driver: t.text("driver", ""), Workload: t.text("workload", ""), At: d.place(t.path)}
		if !nameRE.MatchString(c.Name) {
			t.fault("", "case without a legal name; legal: letters, digits, - and _")
			continue
		}
		if seen[c.Name] {
			t.fault("name", "case %s given twice", c.Name)
		}
		seen[c.Name] = true
		for _, text := range t.texts("set") {
			v, err := param.ParseSetting(text)
			if err != nil {
				t.fault("set", "set %q: %w", text, err)
			}
			v.At, v.Source = d.place(t.path+"set"), "case "+c.Name
			c.Set = append(c.Set, v)
		}
		out = append(out, c)
	}
	return out
}

// published holds the names that the file uses of a published table against
// that table.
func (d *document) published(s *Spec) {
	if s.Source == "" {
		if len(s.UsedToFit) > 0 {
			d.fault("used_to_fit", "used_to_fit without a source; legal sources: %s", strings.Join(results.PublishedNames(), ", "))
		}
		return
	}
	p, err := results.LookupPublished(s.Source)
	if err != nil {
		d.fault("source", "%w", err)
		return
	}
	for _, row := range s.UsedToFit {
		if _, ok := p.Figure(row); !ok {
			d.fault("used_to_fit", "used_to_fit names no row of %s: %q; legal: %s", s.Source, row, strings.Join(p.RowNames(), ", "))
		}
	}
}

// MaxDuration bounds warm-up and window, in real and in virtual time.
const MaxDuration = 24 * time.Hour

// ParseDuration reads a duration as parameters have it ("1.5us", "2s") or as
// Go has it ("1m30s"). It must lie between 0 (more than 0 where positive is
// set) and [MaxDuration].
func ParseDuration(text string, positive bool) (time.Duration, error) {
	ns, err := param.ParseDuration(text)
	switch {
	case err != nil:
		return 0, err
	case positive && ns < 1:
		return 0, fmt.Errorf("too short; legal: more than 0, up to %gh", MaxDuration.Hours())
	case ns < 0:
		return 0, fmt.Errorf("negative; legal: 0 to %gh", MaxDuration.Hours())
	case ns > float64(MaxDuration):
		return 0, fmt.Errorf("too long; legal: up to %gh", MaxDuration.Hours())
	}
	return time.Duration(ns), nil
}
