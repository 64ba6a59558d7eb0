package profiles

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"hostlock/machine"
)

// Kinds of profile, as they stand in file names.
const (
	KindCPU        = "cpu"
	KindContention = "contention"
	KindWall       = "wall"
	KindMutex      = "mutex"
	KindBlock      = "block"
)

// FileName is the base name of a run's profile:
// <experiment>-<strategy>-<machine>-<cores>.<kind>.pb.gz. What a file system
// or a shell might trip over becomes an underscore.
func FileName(info Info, kind string) string {
	parts := make([]string, 0, 4)
	for _, s := range []string{info.Experiment, info.Strategy, info.Machine, strconv.Itoa(info.Cores)} {
		if s != "" {
			parts = append(parts, safe(s))
		}
	}
	return strings.Join(parts, "-") + "." + kind + ".pb.gz"
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
	var buf bytes.Buffer
	if err := Write(&buf, p); err != nil {
		return err
	}
	return writeWhole(path, buf.Bytes())
}

// writeWhole writes beside the target and renames, which replaces in one step
// on every system that Go knows.
func writeWhole(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("profiles: %w", err)
	}
	// Not os.CreateTemp, whose files are private whatever the umask says.
	name := fmt.Sprintf(".%s.%016x", filepath.Base(path), rand.Uint64())
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("profiles: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("profiles: %w", err)
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WriteAccount writes the CPU and the contention profile of a run into dir,
// and returns their paths by kind.
func WriteAccount(dir string, a *machine.Account, info Info, opts CPUOptions) (map[string]string, error) {
	cpu, err := CPU(a, info, opts)
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

// ReadFile reads a profile file; its errors name the file.
func ReadFile(path string) (*profile.Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profiles: %w", err)
	}
	defer f.Close()
	p, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
