package spec

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"strings"

	"hostlock/closest"
	"hostlock/files"
	"hostlock/results"
)

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
