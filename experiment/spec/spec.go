// Package spec reads what an experiment is: a file that a user can copy and
// edit. The built-in ones are such files too, see [Builtins]. It holds cost
// tables, which have the same form.
package spec

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"hostlock/machine/param"
	"hostlock/results"
	"hostlock/workload"
)

// Spec is an experiment as its file describes it. Every value is legal in
// itself; whether the names mean something (strategy, driver, workload,
// parameters) is found out where it is planned.
type Spec struct {
	Name   string // letters, digits, - and _
	Title  string // one line
	About  string // what is asked, and how the model answers; may be long
	Source string // key of the published table to compare with; "" for none

	Strategy string
	Driver   string
	Workload string // a name, or a file relative to the experiment's own
	Machine  string // live or sim

	Cores      int
	Sockets    int // divides Cores
	Threads    int // 0: the workload's own
	HBAs       int
	LUNsPerHBA int

	Duration time.Duration // measured, without the warm-up; 0: the workload's own
	Warmup   time.Duration
	// LiveDuration is how long the live machine measures, in real time; 0 is
	// Duration.
	LiveDuration time.Duration
	Seed         uint64

	Parameters []param.Setting
	// ScaleParameters name limits of one HBA, such as host.can_queue, that grow
	// and shrink with the load it carries; where whole HBAs are added, each has
	// the file's own.
	ScaleParameters []string
	Cases           []Case

	NotGiven  []string // what the source does not state, and what was chosen
	UsedToFit []string // rows of the published table by which fitted values were chosen

	File string // as Load was given it; "builtin/NAME.toml" for an embedded one
	text []byte
	at   map[string]param.Place
}

// Case is one run of a reproduction: the experiment with another strategy or
// other parameters, whose figures fill some rows of the published table.
type Case struct {
	Name     string // as the published rows name it: "before"
	Strategy string // "": the experiment's own
	Driver   string // "": the experiment's own
	Workload string // "": the experiment's own
	Set      []param.Setting
	At       param.Place
}

// FileText is the text of the file, to be copied and edited.
func (s *Spec) FileText() []byte { return append([]byte(nil), s.text...) }

// At is where the file gives a key, such as "cores" or "scale.parameters".
// For a key that it does not give, it is the zero Place.
func (s *Spec) At(key string) param.Place { return s.at[key] }

// Errorf makes a [UsageError] about a key of the file, with its place.
func (s *Spec) Errorf(key, format string, args ...any) error {
	return ErrorAt(s.At(key), key, format, args...)
}

// WorkloadPath is the file's workload as [workload.Load] takes it: a name that
// the program knows or a command line as it stands, else a file. Relative paths start at the experiment's own file, so that
// the two can be moved together.
func (s *Spec) WorkloadPath() string {
	if filepath.IsAbs(s.Workload) || workload.Known(s.Workload) {
		return s.Workload
	}
	return filepath.Join(filepath.Dir(s.File), s.Workload)
}

// Builtin reports whether the experiment is an embedded one.
func (s *Spec) Builtin() bool { return strings.HasPrefix(s.File, builtinDir+"/") }

// LUNs is how many devices there are in all.
func (s *Spec) LUNs() int { return s.HBAs * s.LUNsPerHBA }

// CaseOf is the first case that runs a strategy with nothing else changed: the
// one whose published rows a plain run of that strategy stands beside.
func (s *Spec) CaseOf(strategy string) (Case, bool) {
	for _, c := range s.Cases {
		if cmp.Or(c.Strategy, s.Strategy) == strategy && c.Driver == "" && c.Workload == "" && len(c.Set) == 0 {
			return c, true
		}
	}
	return Case{}, false
}

// String names the experiment and its shape.
func (s *Spec) String() string {
	return fmt.Sprintf("%s (%s, %s, %s, %s)", s.Name, s.Strategy, results.Count(s.Cores, "core"), results.Count(s.Threads, "thread"), results.Count(s.LUNs(), "LUN"))
}

// FittedNames are the parameters that the file calls fitted.
func (s *Spec) FittedNames() []string {
	var names []string
	for _, p := range s.Parameters {
		if p.Fitted {
			names = append(names, p.Name)
		}
	}
	return names
}
