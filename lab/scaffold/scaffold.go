// Package scaffold writes the folder that a strategy of one's own begins with.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
)

// module is the lab's own, which a strategy's module requires.
const module = "hostlock"

//go:embed strategy/*.tmpl
var templates embed.FS

// Strategy is a folder to write.
type Strategy struct {
	Name   string // of the strategy
	Module string // path of its module
	Source string // where the lab's own module lies, an absolute path
}

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// CheckName refuses what is no name of a strategy.
func CheckName(name string) error {
	if !nameRE.MatchString(name) || len(name) > 40 {
		return fmt.Errorf("%q is no name of a strategy; legal: small letters, digits and - between them, such as striped", name)
	}
	return nil
}

// Write writes the folder, whole or not at all. There must be none yet.
func (s Strategy) Write(dir string) error {
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", dir)
		}
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(unfinished)
	if err := os.Chmod(unfinished, 0o755); err != nil { // made for its owner alone
		return err
	}
	all, err := s.files()
	if err != nil {
		return err
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(unfinished, name), text, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(unfinished, dir)
}

// files are the folder's, by name.
func (s Strategy) files() (map[string][]byte, error) {
	out := map[string][]byte{}
	list, err := templates.ReadDir("strategy")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		t, err := template.ParseFS(templates, path.Join("strategy", f.Name()))
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, s); err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(f.Name(), ".tmpl")] = b.Bytes()
	}
	if out["go.mod"], err = s.goMod(); err != nil {
		return nil, err
	}
	out["go.sum"], err = os.ReadFile(filepath.Join(s.Source, "go.sum"))
	return out, err
}

// goMod requires the lab, by the place where it lies, and in the versions that
// the lab has all that it requires: so nothing has to be looked up.
func (s Strategy) goMod() ([]byte, error) {
	from := filepath.Join(s.Source, "go.mod")
	text, err := os.ReadFile(from)
	if err != nil {
		return nil, err
	}
	lab, err := modfile.Parse(from, text, nil)
	if err != nil {
		return nil, err
	}
	f := new(modfile.File)
	for _, err := range []error{
		f.AddModuleStmt(s.Module), f.AddGoStmt(lab.Go.Version),
		f.AddRequire(module, "v0.0.0"), f.AddReplace(module, "", filepath.ToSlash(s.Source), ""),
	} {
		if err != nil {
			return nil, err
		}
	}
	for _, r := range lab.Require {
		f.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	f.Cleanup()
	return f.Format()
}

// Source finds where the lab's own module lies: where this program was built
// from, above the program, above the working directory, or what the module
// there requires; "" where it is none of these.
func Source() string {
	var places []string
	if _, file, _, ok := runtime.Caller(0); ok { // a name alone where it was built with -trimpath
		places = append(places, filepath.Dir(file))
	}
	if exe, err := os.Executable(); err == nil {
		places = append(places, filepath.Dir(exe))
	}
	if wd, err := os.Getwd(); err == nil {
		places = append(places, wd)
	}
	for _, p := range places {
		for dir := p; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
			if IsSource(dir) {
				return dir
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	if out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); IsSource(dir) {
			return dir
		}
	}
	return ""
}

// IsSource reports whether the lab's own module lies in a directory.
func IsSource(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(text) == module
}
