package experiment

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
	maxHBAs    = 4096
	maxLUNs    = 1 << 16
)

// Parse reads an experiment's file, strictly: an unknown key, a value of the
// wrong type or out of its range, a key given twice are all faults. The error
// is a [UsageError] with one line "name:line: ..." for each.
func Parse(name string, text []byte) (*Spec, error) {
	f, ix, faults := decode(name, text, experimentKeys)
	if len(faults) > 0 {
		return nil, faultsError(faults)
	}
	c := check{ix: &ix, file: name}
	s := c.spec(f)
	if len(ix.faults) > 0 {
		return nil, faultsError(ix.faults)
	}
	s.File, s.text, s.pos = name, slices.Clone(text), ix.pos
	return s, nil
}

func faultsError(faults []fault) error {
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(a.pos.Line, b.pos.Line) })
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.pos.String() + ": " + f.text
	}
	return &UsageError{Text: strings.Join(lines, "\n")}
}

// check turns a file into a Spec and collects what is wrong with it.
type check struct {
	ix   *index
	file string
}

// fault finds fault with a key, or with the file as a whole where it does not
// have it.
func (c *check) fault(key, format string, args ...any) {
	at, ok := c.ix.pos[key]
	for !ok && key != "" { // a table in line has the place of its key only
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
		at, ok = c.ix.pos[key]
	}
	if !ok {
		at = Pos{c.file, 1}
	}
	c.ix.fault(at, format, args...)
}

var nameRE = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

func (c *check) spec(f *file) *Spec {
	s := &Spec{
		Name:         c.need("name", f.Name),
		Title:        c.text("title", f.Title, ""),
		About:        c.text("about", f.About, ""),
		Source:       c.text("source", f.Source, ""),
		Strategy:     c.need("strategy", f.Strategy),
		Driver:       c.need("driver", f.Driver),
		Workload:     c.need("workload", f.Workload),
		Machine:      c.text("machine", f.Machine, "sim"),
		Cores:        c.count("cores", f.Cores, -1, 1, MaxCores),
		Sockets:      c.count("sockets", f.Sockets, 1, 1, MaxCores),
		Threads:      c.count("threads", f.Threads, 0, 1, MaxThreads),
		HBAs:         c.count("hbas", f.HBAs, 1, 1, maxHBAs),
		LUNsPerHBA:   c.count("luns_per_hba", f.LUNsPerHBA, 1, 1, maxLUNs),
		Duration:     c.duration("duration", f.Duration, true),
		Warmup:       c.duration("warmup", f.Warmup, false),
		LiveDuration: c.duration("live_duration", f.LiveFor, true),
		Seed:         c.seed(f.Seed),
		NotGiven:     f.NotGiven,
		UsedToFit:    f.UsedToFit,
		Scale:        Scale{Parameters: f.Scale.Parameters},
	}
	if s.Name != "" && !nameRE.MatchString(s.Name) {
		c.fault("name", "name %q; legal: letters, digits, - and _", s.Name)
	}
	if s.Machine != "sim" && s.Machine != "live" {
		c.fault("machine", "unknown machine %q; legal: live, sim", s.Machine)
	}
	if s.Sockets > 0 && s.Cores > 0 && s.Cores%s.Sockets != 0 {
		c.fault("sockets", "sockets=%d does not divide cores=%d", s.Sockets, s.Cores)
	}
	c.parameters(s, f.Parameters)
	c.cases(s, f.Cases)
	c.published(s)
	return s
}

func (c *check) parameters(s *Spec, in []fileParameter) {
	first := map[string]Pos{}
	for i, p := range in {
		key := fmt.Sprintf("parameter[%d]", i)
		if p.Name == nil || *p.Name == "" {
			c.fault(key, "parameter without a name")
			continue
		}
		out := Parameter{Name: *p.Name, Fitted: p.Fitted, Source: p.Source,
			Pos: c.place(key + ".name"), ValPos: c.place(key + ".value")}
		var ok bool
		if out.Value, ok = valueText(p.Value); !ok {
			c.fault(key+".value", "%s: value is missing or neither text, a number nor a boolean", out.Name)
		}
		if at, dup := first[out.Name]; dup {
			c.fault(key+".name", "parameter %s given twice; first on line %d", out.Name, at.Line)
		}
		if p.Fitted && p.Source == "" {
			c.fault(key, "%s: a fitted value needs a source that says by what it was fitted", out.Name)
		}
		first[out.Name] = out.Pos
		s.Parameters = append(s.Parameters, out)
	}
}

func (c *check) cases(s *Spec, in []fileCase) {
	seen := map[string]bool{}
	for i, fc := range in {
		key := fmt.Sprintf("case[%d]", i)
		if fc.Name == nil || !nameRE.MatchString(*fc.Name) {
			c.fault(key, "case without a legal name; legal: letters, digits, - and _")
			continue
		}
		if seen[*fc.Name] {
			c.fault(key+".name", "case %s given twice", *fc.Name)
		}
		seen[*fc.Name] = true
		for _, kv := range fc.Set {
			if k, v, ok := strings.Cut(kv, "="); !ok || k == "" || v == "" {
				c.fault(key+".set", "set %q; legal: \"name=value\"", kv)
			}
		}
		s.Cases = append(s.Cases, Case{Name: *fc.Name, Strategy: fc.Strategy, Driver: fc.Driver, Workload: fc.Workload, Set: fc.Set, Pos: c.place(key)})
	}
}

// published holds the names that the file uses of a published table against
// that table.
func (c *check) published(s *Spec) {
	if s.Source == "" {
		if len(s.UsedToFit) > 0 {
			c.fault("used_to_fit", "used_to_fit without a source; legal sources: %s", strings.Join(results.PublishedNames(), ", "))
		}
		return
	}
	p, err := results.LookupPublished(s.Source)
	if err != nil {
		c.fault("source", "%v", err)
		return
	}
	for _, row := range s.UsedToFit {
		if _, ok := p.Figure(row); !ok {
			c.fault("used_to_fit", "used_to_fit names no row of %s: %q; legal: %s", s.Source, row, strings.Join(p.RowNames(), ", "))
		}
	}
}

// place is where a key stands; one of a table in line stands where the table
// does.
func (c *check) place(key string) Pos {
	for {
		if at, ok := c.ix.pos[key]; ok || key == "" {
			return at
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
}

func (c *check) need(key string, v *string) string {
	if v == nil || strings.TrimSpace(*v) == "" {
		c.fault(key, "%s is missing or empty", key)
		return ""
	}
	return *v
}

func (c *check) text(key string, v *string, def string) string {
	if v == nil {
		return def
	}
	return *v
}

// count reads a whole number within a range; def stands for a key that is
// missing, and -1 for one that must not be.
func (c *check) count(key string, v *int64, def, lo, hi int) int {
	switch {
	case v == nil && def < 0:
		c.fault(key, "%s is missing; legal: %d to %d", key, lo, hi)
		return 0
	case v == nil:
		return def
	case *v < int64(lo) || *v > int64(hi):
		c.fault(key, "%s=%d: out of range; legal: %d to %d", key, *v, lo, hi)
		return 0
	}
	return int(*v)
}

func (c *check) seed(v *int64) uint64 {
	switch {
	case v == nil:
		return 1
	case *v < 0:
		c.fault("seed", "seed=%d: negative; legal: a whole number, 0 or more", *v)
		return 0
	}
	return uint64(*v)
}

func (c *check) duration(key string, v *string, positive bool) time.Duration {
	if v == nil {
		return 0
	}
	d, err := ParseDuration(*v, positive)
	if err != nil {
		c.fault(key, "%s=%q: %v", key, *v, err)
	}
	return d
}

// MaxDuration bounds warm-up and window, in real and in virtual time.
const MaxDuration = 24 * time.Hour

// ParseDuration reads a duration as parameters have it ("1.5us", "2s") or as
// Go has it ("1m30s"). It must lie between 0 (more than 0 where positive is
// set) and [MaxDuration].
func ParseDuration(text string, positive bool) (time.Duration, error) {
	ns, err := param.ParseDuration(text)
	if err != nil {
		d, goErr := time.ParseDuration(strings.TrimSpace(text))
		if goErr != nil {
			return 0, err
		}
		ns = float64(d)
	}
	switch {
	case positive && ns < 1:
		return 0, fmt.Errorf("too short; legal: more than 0, up to %gh", MaxDuration.Hours())
	case ns < 0:
		return 0, fmt.Errorf("negative; legal: 0 to %gh", MaxDuration.Hours())
	case ns > float64(MaxDuration):
		return 0, fmt.Errorf("too long; legal: up to %gh", MaxDuration.Hours())
	}
	return time.Duration(ns), nil
}

// valueText is a parameter's TOML value as the text that machine/param reads.
func valueText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
