package evidence

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// SetsSchema is the version of the file of [Sets].
const SetsSchema = 1

// Sets are parameter sets of one experiment that meet the same figures: what is
// not known about its answer is how far that scatters over them.
type Sets struct {
	Schema     int    `json:"schema"`
	Experiment string `json:"experiment"`
	// Basis names the experiment that the sets were found for, see [Basis].
	Basis   string   `json:"basis"`
	Figures []Target `json:"figures"` // what every set meets
	About   string   `json:"about"`   // how they were found
	Sets    []Values `json:"sets"`
}

// Values is one set, over the experiment's own values.
type Values struct {
	Sockets int             `json:"sockets,omitempty"` // 0: the experiment's own
	Set     []param.Setting `json:"set"`
}

// Target is a figure that sets were fitted to.
type Target struct {
	Name      string  `json:"name"`
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance"` // in the figure's unit, either way
}

// Apply is the experiment with the set's number of sockets.
func (v Values) Apply(s *spec.Spec) *spec.Spec {
	e := *s
	if v.Sockets > 0 {
		e.Sockets = v.Sockets
	}
	return &e
}

// Basis is a hash of all that an experiment's figures depend on but the
// program: a file that was edited has another, one with other comments or
// another name has the same.
func Basis(s *spec.Spec) string {
	set := param.Values(s.Parameters)
	names := make([]string, 0, len(set))
	for n := range set {
		names = append(names, n)
	}
	slices.Sort(names)
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %d %d %d %d %d", s.Strategy, s.Driver, s.Workload, s.Cores, s.Sockets, s.Threads, s.HBAs, s.LUNsPerHBA)
	for _, n := range names {
		fmt.Fprintf(h, " %s=%s", n, set[n])
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// ReadSets reads sets as [Sets.Write] writes them. Its error says in one line
// what is wrong.
func ReadSets(text []byte) (*Sets, error) {
	var s Sets
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("is no file of parameter sets: %w", err)
	}
	switch {
	case s.Schema != SetsSchema:
		return nil, fmt.Errorf("holds parameter sets of schema %d; legal: %d", s.Schema, SetsSchema)
	case len(s.Sets) == 0:
		return nil, errors.New("holds no parameter set")
	}
	s.Experiment = results.ExperimentName(s.Experiment)
	for i := range s.Sets {
		v := &s.Sets[i]
		if v.Sockets < 0 || v.Sockets > spec.MaxCores {
			return nil, fmt.Errorf("has a set of %d sockets; legal: 1 to %d", v.Sockets, spec.MaxCores)
		}
		for j := range v.Set {
			v.Set[j].Source = "fitted set"
		}
	}
	return &s, nil
}

// Write prints the sets as [ReadSets] reads them, one a line.
func (s *Sets) Write(w io.Writer) error {
	head := *s
	head.Schema, head.Sets = SetsSchema, []Values{}
	text, err := json.MarshalIndent(&head, "", " ")
	if err != nil {
		return err
	}
	const empty = "[]\n}"
	b := bytes.NewBuffer(bytes.TrimSuffix(text, []byte(empty)))
	b.WriteString("[")
	for i, v := range s.Sets {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.WriteString(map[bool]string{true: "\n  ", false: ",\n  "}[i == 0])
		b.Write(line)
	}
	b.WriteString("\n ]\n}\n")
	_, err = w.Write(b.Bytes())
	return err
}

//go:embed kept
var keptFiles embed.FS

// Kept finds the sets that were found for an experiment and are kept with the
// program; nil where there are none.
func Kept(e *spec.Spec) (*Sets, error) {
	const dir = "kept"
	list, err := keptFiles.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	basis := Basis(e)
	for _, f := range list {
		if path.Ext(f.Name()) != ".json" {
			continue
		}
		text, err := keptFiles.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		s, err := ReadSets(text)
		if err != nil {
			return nil, fmt.Errorf("%s %w", f.Name(), err)
		}
		if s.Basis == basis {
			return s, nil
		}
	}
	return nil, nil
}

// Sets are the ensemble's as [Kept] wants them.
func (s *Setup) Sets(e *Ensembled) *Sets {
	out := &Sets{
		Experiment: s.Spec.Name, Basis: Basis(s.Spec),
		About: fmt.Sprintf("every number that is not fitted is drawn within a factor of %g either way, and 1 to 8 sockets; then %v are found anew", wrongBy, s.Spec.FittedNames()),
	}
	for _, row := range s.Spec.UsedToFit {
		if f, ok := s.Table.Figure(row); ok {
			out.Figures = append(out.Figures, Target{Name: row, Value: f.Value, Tolerance: f.Band.Width(f.Value)})
		}
	}
	for _, f := range e.Fits {
		out.Sets = append(out.Sets, Values{Sockets: f.sockets, Set: slices.Concat(f.drawn, f.Set())})
	}
	return out
}
