package overlay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"hostlock/files"
	"hostlock/record/rt"
)

// Overlay is one that was made: what the go command needs to use it.
type Overlay struct {
	File string   // for -overlay
	Go   string   // the go command to run in place of PATH's; empty for that one
	Env  []string // additions to the environment; the last of a name counts
}

// system calls that the injected source makes, by processor.
var systemCalls = map[string]map[string]string{
	"amd64": {"SysGetpid": "39", "SysFallocate": "285", "SysFtruncate": "77", "SysGetrusage": "98"},
	"arm64": {"SysGetpid": "172", "SysFallocate": "47", "SysFtruncate": "46", "SysGetrusage": "165"},
}

// Make writes the overlay for t below dir, by the digest of what it is made of:
// the same toolchain has the same paths again, so that the go command's cache
// keeps what was built. Replacements of another overlay, which the user has in
// place already, are taken over; it refuses one of the same file.
//
// It returns a *Refusal where the toolchain has another shape.
func Make(t Toolchain, dir string, merge map[string]string) (Overlay, error) {
	if err := t.check(); err != nil {
		return Overlay{}, err
	}
	made, err := contents(t)
	if err != nil {
		return Overlay{}, err
	}
	// The lab's own version is in the text of what is added.
	h := sha256.New()
	fmt.Fprintln(h, t.GOROOT, t.GOVERSION, t.GOARCH)
	for _, f := range made {
		fmt.Fprintln(h, f.path, len(f.text))
		h.Write(f.text)
	}
	dir = filepath.Join(dir, hex.EncodeToString(h.Sum(nil))[:16])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Overlay{}, err
	}
	root, err := t.linked(dir)
	if err != nil {
		return Overlay{}, err
	}
	replace := map[string]string{}
	for _, f := range made {
		at := filepath.Join(dir, strings.ReplaceAll(f.path, "/", "_"))
		if old, err := os.ReadFile(at); err != nil || !bytes.Equal(old, f.text) {
			if err := writeFile(at, f.text); err != nil {
				return Overlay{}, err
			}
		}
		replace[filepath.Join(root, "src", filepath.FromSlash(f.path))] = at
	}
	name := "overlay.json"
	for from, to := range merge {
		if replace[from] != "" {
			return Overlay{}, refuse("your own overlay replaces %s, which the recorder replaces too; leave it out", from)
		}
		replace[from] = to
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return Overlay{}, err
	}
	if len(merge) > 0 {
		sum := sha256.Sum256(text)
		name = "overlay-" + hex.EncodeToString(sum[:8]) + ".json"
	}
	o := Overlay{File: filepath.Join(dir, name)}
	if root != t.GOROOT {
		o.Go = filepath.Join(root, "bin", "go")
		o.Env = []string{"GOROOT=" + root, "GOTOOLCHAIN=local", "PATH=" + filepath.Join(root, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")}
	}
	if old, err := os.ReadFile(o.File); err == nil && bytes.Equal(old, text) {
		return o, nil
	}
	return o, writeFile(o.File, text)
}

func writeFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

type file struct {
	path string // below GOROOT/src
	text []byte
}

// contents is every replaced and every added file.
func contents(t Toolchain) ([]file, error) {
	var out []file
	for _, change := range []func(root string) (*source, error){internalSync, syncMutex, rwMutex, processes, goroutine, assists} {
		s, err := change(t.GOROOT)
		if err != nil {
			return nil, err
		}
		if len(s.edits) > 0 {
			out = append(out, file{s.path, s.bytes()})
		}
	}
	values, err := shape(t)
	if err != nil {
		return nil, err
	}
	for _, add := range []struct{ path, text string }{
		{"runtime/zhostlock_layout.go", strings.Replace(rt.Layout, "package rt", "package runtime", 1)},
		{"runtime/zhostlock.go", rt.Runtime},
		{"runtime/zhostlock_start.go", rt.Start},
		{"runtime/zhostlock_sites.go", rt.SitesFound},
		{"runtime/zhostlock_readers.go", rt.Readers},
		{"runtime/zhostlock_holds.go", rt.Holds},
		{"internal/sync/zhostlock.go", rt.InternalSync},
		{"sync/zhostlock.go", rt.Sync},
	} {
		tmpl, err := template.New(add.path).Option("missingkey=error").Parse(add.text)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := tmpl.Execute(&b, values); err != nil {
			return nil, err
		}
		out = append(out, file{add.path, b.Bytes()})
	}
	return out, nil
}

// shape is what differs between releases, and is read off the sources.
func shape(t Toolchain) (map[string]string, error) {
	values := map[string]string{"EnvDir": rt.EnvDir, "EnvStretch": rt.EnvStretch, "EnvProgress": rt.EnvProgress}
	for k, v := range systemCalls[t.GOARCH] {
		values[k] = v
	}
	linux, err := parse(t.GOROOT, "runtime/os_linux.go")
	if err != nil {
		return nil, err
	}
	for _, i := range linux.tree.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if strings.HasPrefix(path, "internal/runtime/syscall") {
			values["SyscallPath"] = path
			values["SyscallName"] = path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	if values["SyscallPath"] == "" {
		return nil, refuse("runtime/os_linux.go of this toolchain imports no internal/runtime/syscall: its shape is unknown, so nothing is built")
	}
	proc, err := parse(t.GOROOT, "runtime/proc.go")
	if err != nil {
		return nil, err
	}
	count, err := proc.function("", "gcount")
	if err != nil {
		return nil, err
	}
	if values["GcountArg"] = ""; count.Type.Params.NumFields() == 1 {
		values["GcountArg"] = "false"
	}
	two, err := parse(t.GOROOT, "runtime/runtime2.go")
	if err != nil {
		return nil, err
	}
	ast.Inspect(two.tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			for _, name := range v.Names {
				if name.Name == "numCPUStartup" || name.Name == "ncpu" {
					values["NumCPU"] = name.Name
				}
			}
		}
		return true
	})
	if values["NumCPU"] == "" {
		return nil, refuse("runtime/runtime2.go of this toolchain has no count of processors: its shape is unknown, so nothing is built")
	}
	return values, nil
}

// Dir is where overlays are kept, for the go command's cache to hit.
func Dir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no directory for the build overlay: %w", err)
	}
	dir = filepath.Join(dir, "hostlock", "record")
	return dir, files.CheckDir(dir)
}
