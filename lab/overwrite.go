package lab

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// place is a file that the command line names.
type place struct {
	what string // the flag, or the argument
	path string
}

// sameAs reports whether two names are one file: by links of either kind, too,
// or, where there is no such file yet, by where it would be.
func (p place) sameAs(q place) bool {
	one, err1 := os.Stat(p.path)
	other, err2 := os.Stat(q.path)
	if err1 == nil && err2 == nil {
		return os.SameFile(one, other) && one.Mode().IsRegular()
	}
	return err1 != nil && err2 != nil && resolved(p.path) == resolved(q.path)
}

// resolved is where a file that is not there would be.
func resolved(path string) string {
	if target, err := os.Readlink(path); err == nil { // one that leads nowhere yet
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// checkOverwrite refuses output that would take the place of what the command
// reads, or of other output.
func checkOverwrite(cmd *cobra.Command, args []string) error {
	var inputs, outputs []place
	named := func(to *[]place, flags ...string) {
		for _, name := range flags {
			if f := cmd.Flags().Lookup(name); f != nil && f.Value.String() != "" {
				*to = append(*to, place{"--" + name, f.Value.String()})
			}
		}
	}
	for _, a := range args {
		inputs = append(inputs, place{"the argument", a})
	}
	named(&inputs, "experiment", "workload", "costs", "layout", "resume")
	named(&outputs, "output", "plot")
	for i, o := range outputs {
		for _, other := range append(inputs, outputs[:i]...) {
			if o.sameAs(other) {
				return usagef("%s %s would overwrite %s %s; legal: another file", o.what, o.path, other.what, other.path)
			}
		}
	}
	return nil
}
