package vet

import (
	"cmp"
	"context"
	"errors"

	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// Analyzers are all that report.
var Analyzers = []*analysis.Analyzer{verbsAnalyzer, Foreign, Clock, Fields, Dummy}

// Finding is one thing that no machine sees.
type Finding struct {
	Check   string `json:"check"`
	Verb    string `json:"verb"` // type.Verb
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message) }

// Report is what was read and found.
type Report struct {
	Types    []string  `json:"types"` // package.Type, in order
	Findings []Finding `json:"findings"`
}

// ErrNoGo is that there is no go command, which loads packages.
var ErrNoGo = errors.New("lab vet needs the go command, which is not in $PATH: install Go from https://go.dev/dl, or add its bin directory to $PATH")

// Unloadable is that packages cannot be read: there are none, or they do not
// compile.
type Unloadable struct{ Text string }

func (e *Unloadable) Error() string { return e.Text }

// Run reads the packages that patterns of the go command name, seen from a
// directory. A directory that lies in another module is read in that one.
func Run(ctx context.Context, dir string, patterns []string) (*Report, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	r := &Report{Types: []string{}, Findings: []Finding{}}
	for _, g := range byModule(dir, patterns) {
		if err := r.read(ctx, dir, g); err != nil {
			return nil, err
		}
	}
	slices.Sort(r.Types)
	r.Types = slices.Compact(r.Types)
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	r.Findings = slices.Compact(r.Findings)
	return r, nil
}

// group is patterns that are read in one directory.
type group struct {
	dir      string
	patterns []string
}

// byModule puts patterns that name a directory to the module that this lies in.
func byModule(dir string, patterns []string) []group {
	var out []group
	for _, p := range patterns {
		in, as := dir, p
		path, rest, all := strings.Cut(p, "...")
		full := path
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, path)
		}
		if info, err := os.Stat(full); err == nil && info.IsDir() && (filepath.IsAbs(p) || strings.HasPrefix(p, ".")) && rest == "" {
			in, as = full, "."
			if all {
				as = "./..."
			}
			for up := full; ; up = filepath.Dir(up) {
				if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
					rel, _ := filepath.Rel(up, full)
					in, as = up, "./"+filepath.ToSlash(rel)
					if all {
						as += "/..."
					}
					break
				}
				if up == filepath.Dir(up) {
					break
				}
			}
		}
		if i := slices.IndexFunc(out, func(g group) bool { return g.dir == in }); i >= 0 {
			out[i].patterns = append(out[i].patterns, as)
			continue
		}
		out = append(out, group{in, []string{as}})
	}
	return out
}

func (r *Report) read(ctx context.Context, dir string, g group) error {
	// First, who imports whom: types are read of what the patterns name, and of what
	// that imports of the same module or directly.
	roots, err := load(ctx, g, packages.NeedName|packages.NeedImports|packages.NeedDeps|packages.NeedModule, g.patterns)
	if err != nil {
		return err
	}
	paths := slices.Clone(g.patterns)
	seen := map[string]bool{}
	var deps func(p *packages.Package, root bool)
	deps = func(p *packages.Package, root bool) {
		for _, i := range p.Imports {
			if seen[i.PkgPath] || i.Module == nil || trusted(i.PkgPath) || i.Module.Path == "hostlock" && !strings.Contains(i.PkgPath, "/strategies") {
				continue
			}
			if !i.Module.Main && !root {
				continue
			}
			seen[i.PkgPath] = true
			paths = append(paths, i.PkgPath)
			deps(i, false)
		}
	}
	meant := map[string]bool{}
	for _, p := range roots {
		meant[p.PkgPath] = true
	}
	for _, p := range roots {
		deps(p, true)
	}
	slices.Sort(paths[len(g.patterns):])
	pkgs, err := load(ctx, g, packages.LoadSyntax|packages.NeedModule, paths)
	if err != nil {
		return err
	}
	// Facts come from packages that are read, and from no others.
	read := map[*packages.Package]bool{}
	for _, p := range pkgs {
		read[p] = true
	}
	for _, p := range pkgs {
		for path, i := range p.Imports {
			if !read[i] {
				delete(p.Imports, path)
			}
		}
	}
	graph, err := checker.Analyze(Analyzers, pkgs, nil)
	if err != nil {
		return err
	}
	for _, act := range graph.Roots {
		switch {
		case act.Err != nil:
			return fmt.Errorf("%s in %s: %w", act.Analyzer.Name, act.Package.PkgPath, act.Err)
		case !meant[act.Package.PkgPath]:
			continue
		}
		if v, ok := act.Result.(*verbs); ok {
			for _, t := range v.targets {
				r.Types = append(r.Types, act.Package.PkgPath+"."+t.Name())
			}
		}
		for _, d := range act.Diagnostics {
			at := act.Package.Fset.Position(d.Pos)
			file := at.Filename
			if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") {
				file = rel
			}
			r.Findings = append(r.Findings, Finding{Check: act.Analyzer.Name, Verb: d.Category, File: file, Line: at.Line, Message: d.Message})
		}
	}
	return nil
}

// load loads packages, and refuses those that do not compile: what types say of
// them would be wrong.
func load(ctx context.Context, g group, mode packages.LoadMode, patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: g.dir, Mode: mode}, patterns...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		text, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		return nil, &Unloadable{text}
	case len(pkgs) == 0:
		return nil, &Unloadable{fmt.Sprintf("no packages match %s; legal: directories and patterns as the go command takes them, such as ./...", strings.Join(g.patterns, " "))}
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			text := strings.ReplaceAll(strings.TrimSpace(e.Msg), "\n", " ")
			if e.Pos != "" && e.Pos != "-" {
				text = e.Pos + ": " + text
			}
			return nil, &Unloadable{text}
		}
	}
	return pkgs, nil
}

// consequences are what comes of a finding, by check.
var consequences = map[string]string{
	Foreign.Name: "What no machine sees costs nothing in virtual time, or stops it where it waits.",
	Clock.Name:   "With what is not the machine's, a simulated run is another one every time.",
	Fields.Name:  "Fields without a line move between cores for nothing.",
}

// Print writes the report for a person: its sum, and a line a finding.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	switch n := len(r.Findings); {
	case len(r.Types) == 0:
		b.WriteString("Nothing to read: these packages have no strategy, limit, driver or design.\n")
	case n == 0:
		fmt.Fprintf(&b, "Nothing found in %d types: %s.\n", len(r.Types), strings.Join(r.Types, ", "))
	default:
		fmt.Fprintf(&b, "%d findings in %d types.\n", n, len(r.Types))
	}
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	for _, a := range Analyzers {
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check == a.Name }) && consequences[a.Name] != "" {
			fmt.Fprintln(&b, consequences[a.Name])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
