// Package program says how the running program is called, so that a command
// that it prints can be typed as it stands.
package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// Name is what to type in place of this process's own name: "lab" where a shell
// finds it so, "./mylock" where it was called so, and "go run PACKAGE", from the
// module's root, where the program was built to be run once. That is also what a
// test says, whose binary has no commands.
func Name() string {
	exe, err := os.Executable()
	if err != nil {
		exe = os.Args[0]
	}
	var main, module string
	if info, ok := debug.ReadBuildInfo(); ok {
		main, module = info.Path, info.Main.Path
	}
	base := filepath.Base(os.Args[0])
	if p, err := exec.LookPath(base); err == nil && same(p, exe) {
		return base
	}
	return name(os.Args[0], exe, main, module)
}

// lab is the module that has the lab itself, whose main is not at its root.
const lab = "hostlock"

// name decides by how the process was called, its executable, and the paths of
// its main package and of the module that has it.
func name(called, exe, main, module string) string {
	test := strings.HasSuffix(strings.TrimSuffix(called, ".exe"), ".test")
	if !test && !passing(exe) {
		return quoted(called)
	}
	switch below, ok := strings.CutPrefix(main, module+"/"); {
	case module == lab && test:
		return "go run ./cmd/lab"
	case ok && module != "" && !test:
		return "go run ./" + below
	}
	return "go run ."
}

// cached is the directory of an executable in Go's build cache.
var cached = regexp.MustCompile(`^[0-9a-f]{64}-d$`)

// passing reports whether an executable lies where go run puts it: in a
// directory of its own for temporary files, or in the build cache.
func passing(exe string) bool {
	exe = filepath.ToSlash(exe)
	parts := strings.Split(exe, "/")
	for _, p := range parts {
		if strings.HasPrefix(p, "go-build") || cached.MatchString(p) {
			return true
		}
	}
	return false
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"$&;()") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
