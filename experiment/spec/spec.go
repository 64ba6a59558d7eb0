// Package spec reads what an experiment is: a file that a user can copy and
// edit. The built-in ones are such files too, see [Builtins]. It holds cost
// tables, which have the same form.
package spec

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hostlock/closest"
	"hostlock/files"
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

const builtinDir = "builtin"

//go:embed builtin/*.toml
var builtinFS embed.FS

// maxFile bounds what is read as an experiment, in bytes: a path mistyped
// into an image of a disk is refused at once.
const maxFile = 1 << 20

// Builtins are the names of the embedded experiments, in order.
func Builtins() []string {
	entries, err := builtinFS.ReadDir(builtinDir)
	if err != nil {
		panic("spec: embedded files are missing: " + err.Error())
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// Load reads a built-in experiment by its name, or any by its file. A name
// that is built in wins; write ./NAME for a file that is called the same.
// Underscores in a name stand for hyphens, and a former name
// ([results.ExperimentName]) for today's. Its error is a [UsageError].
func Load(nameOrFile string) (*Spec, error) {
	if nameOrFile == "" {
		return nil, Usagef("no experiment named; legal: %s, or a file", strings.Join(Builtins(), ", "))
	}
	for _, n := range Builtins() {
		if n == strings.ReplaceAll(results.ExperimentName(nameOrFile), "_", "-") {
			file := path.Join(builtinDir, n+".toml")
			text, err := builtinFS.ReadFile(file)
			if err != nil {
				panic("spec: embedded file is missing: " + err.Error())
			}
			return Parse(file, text)
		}
	}
	text, err := files.Read(nameOrFile, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usagef("unknown experiment %q, and no such file; legal: %s, or a file that 'lab show experiment NAME' was copied to%s", nameOrFile, strings.Join(Builtins(), ", "), closest.Hint(nameOrFile, Builtins()))
	case err != nil:
		return nil, Usagef("experiment %s: %w; legal: a TOML file that 'lab show experiment NAME' was copied to", nameOrFile, err)
	}
	return Parse(nameOrFile, text)
}

// LoadSize is the size of an experiment's load.
type LoadSize struct {
	Factor     float64 // over the experiment's own
	Threads    int
	HBAs       int
	LUNsPerHBA int
	// PerHBA is what the limits of one HBA are multiplied by: Factor spread
	// over the HBAs that there are now.
	PerHBA float64
}

// maxScale keeps a mistyped scale from asking for more memory than there is.
const maxScale = 4096

// SizedLoad is the experiment's load, factor times as large: threads, LUNs and
// limits in proportion. Fractions shrink the load, and nothing shrinks below
// one. hbas is the number of HBAs, 0 for as many as follow from the factor:
// one HBA for a load of any size shows what its one lock can bear.
func (s *Spec) SizedLoad(factor float64, hbas int) (LoadSize, error) {
	if !(factor > 0) || factor > maxScale {
		return LoadSize{}, Usagef("scale=%g: out of range; legal: more than 0, up to %d", factor, maxScale)
	}
	times := func(n int, f float64) int { return max(1, int(math.Round(float64(n)*f))) }
	l := LoadSize{Factor: factor, Threads: s.Threads}
	if s.Threads > 0 {
		l.Threads = times(s.Threads, factor)
	}
	// Begun HBAs count; the hair below one keeps 3 x 1/3 at one.
	l.HBAs = max(1, int(math.Ceil(float64(s.HBAs)*factor-1e-9)))
	if hbas > 0 {
		l.HBAs = hbas
	}
	share := factor * float64(s.HBAs) / float64(l.HBAs)
	l.LUNsPerHBA = times(s.LUNsPerHBA, share)
	l.PerHBA = share
	return l, nil
}

// IsLoad reports whether a setting's name is the load's own, and no parameter's.
func IsLoad(name string) bool { return name == "scale" || name == "hbas" }

// LoadSettings is what settings say of the load: its scale and its number of
// HBAs, each 0 where they say nothing. Its error is a [UsageError].
func LoadSettings(set []param.Setting) (scale float64, hbas int, err error) {
	for _, v := range set {
		switch v.Name {
		case "scale":
			scale, err = strconv.ParseFloat(v.Value, 64)
			if err != nil || !(scale > 0) || scale > maxScale {
				return 0, 0, ErrorAt(v.At, v.Name, "%s; legal: a number more than 0, up to %d", v, maxScale)
			}
		case "hbas":
			hbas, err = strconv.Atoi(v.Value)
			if err != nil || hbas < 1 || hbas > MaxHBAs {
				return 0, 0, ErrorAt(v.At, v.Name, "%s; legal: a whole number, 1 to %d", v, MaxHBAs)
			}
		}
	}
	return scale, hbas, nil
}
