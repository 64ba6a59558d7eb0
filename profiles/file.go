package profiles

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"hostlock/files"
	"hostlock/machine"
	"hostlock/results"
)

// Kinds of profile, as they stand in file names.
const (
	KindCPU        = "cpu"
	KindContention = "contention"
	KindWall       = "wall"
	KindMutex      = "mutex"
	KindBlock      = "block"
)

// FileName is the base name of a run's profile: its [RunName], its kind, and
// what it is: chen-2010_host-lock_64c.cpu.pb.gz.
func FileName(info Info, kind string) string {
	return RunName(info.Identity) + "." + kind + ".pb.gz"
}

// RunName names the files of a run: <experiment>_<strategy>_<cores>c, with the
// machine before the cores where that is not the simulated one. The parts have
// hyphens of their own, so that an underscore joins them. What a file system or
// a shell might trip over becomes an underscore, too.
func RunName(id results.Identity) string {
	machine := id.Machine
	if machine == "sim" {
		machine = ""
	}
	parts := make([]string, 0, 4)
	for _, s := range []string{id.Name, id.Strategy, machine, strconv.Itoa(id.Cores) + "c"} {
		if s != "" {
			parts = append(parts, safe(s))
		}
	}
	return strings.Join(parts, "_")
}

func safe(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, s)
	if s[0] == '.' {
		s = "_" + s[1:]
	}
	return s
}

// Write writes p in the gzipped form of profile.proto.
func Write(w io.Writer, p *profile.Profile) error {
	if err := p.Write(w); err != nil {
		return fmt.Errorf("profiles: %w", err)
	}
	return nil
}

// WriteFile writes p whole or not at all: a reader of path sees the old file
// or the new one. Missing directories are made.
func WriteFile(path string, p *profile.Profile) error {
	return files.Write(path, func(w io.Writer) error { return Write(w, p) })
}

// WriteAccount writes the CPU and the contention profile of a run into dir,
// and returns their paths by kind.
func WriteAccount(dir string, a *machine.Account, info Info) (map[string]string, error) {
	cpu, err := CPU(a, info)
	if err != nil {
		return nil, err
	}
	contention, err := Contention(a, info)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{
		KindCPU:        filepath.Join(dir, FileName(info, KindCPU)),
		KindContention: filepath.Join(dir, FileName(info, KindContention)),
	}
	if err := WriteFile(paths[KindCPU], cpu); err != nil {
		return nil, err
	}
	if err := WriteFile(paths[KindContention], contention); err != nil {
		return nil, err
	}
	return paths, nil
}

// Read reads a profile in any form that pprof reads.
func Read(r io.Reader) (*profile.Profile, error) {
	p, err := profile.Parse(r)
	if err != nil {
		return nil, fmt.Errorf("not a profile that pprof can read: %s", oneLine(err.Error()))
	}
	return p, nil
}

// maxFile bounds what is read as a profile, in bytes.
const maxFile = 1 << 30

// ReadFile reads a profile file; its errors name the file.
func ReadFile(path string) (*profile.Profile, error) {
	text, err := files.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
