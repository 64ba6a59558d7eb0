// Package overlay makes the build overlay with which the user's own toolchain
// builds a program that records its locks. Everything is made at that moment
// from the toolchain's sources: their syntax tree is searched for the methods of
// the locks, which are renamed and wrapped, and files are added to packages of
// the standard library. Nothing of the toolchain is kept.
package overlay

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Refusal says why no overlay can be made: the toolchain has another shape,
// or the system is one where nothing is recorded. It is one line.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

func refuse(format string, args ...any) error { return &Refusal{Text: fmt.Sprintf(format, args...)} }

// Toolchain is the Go that the user's command runs, as it describes itself.
type Toolchain struct {
	GOROOT     string
	GOVERSION  string
	GOOS       string
	GOARCH     string
	GOFLAGS    string
	GOMODCACHE string
}

// Find asks the go command in directory dir, which may choose a toolchain by
// the module there.
func Find(dir string) (Toolchain, error) {
	var t Toolchain
	cmd := exec.Command("go", "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "GOMODCACHE")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
			return t, refuse("go env failed: %s", line)
		}
		return t, refuse("the go command cannot be run: %v; put it into PATH", err)
	}
	if err := json.Unmarshal(out, &t); err != nil {
		return t, fmt.Errorf("reading what go env says: %w", err)
	}
	return t, nil
}

// check refuses systems that the recorder was not written for: it walks frame
// pointers, and maps its file by Linux's system calls.
func (t Toolchain) check() error {
	if t.GOOS != "linux" || t.GOARCH != "amd64" && t.GOARCH != "arm64" {
		return refuse("a program for %s/%s cannot be recorded; legal: linux/amd64, linux/arm64", t.GOOS, t.GOARCH)
	}
	return nil
}

// linked is where the toolchain is reached by the overlay. The go command
// refuses to overlay files below GOMODCACHE, where downloaded toolchains live:
// such a one is used through a link outside it.
func (t Toolchain) linked(dir string) (root string, err error) {
	rel, err := filepath.Rel(t.GOMODCACHE, t.GOROOT)
	if t.GOMODCACHE == "" || err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return t.GOROOT, nil
	}
	link := filepath.Join(dir, "goroot")
	if to, err := os.Readlink(link); err == nil && to == t.GOROOT {
		return link, nil
	}
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	return link, os.Symlink(t.GOROOT, link)
}
