package profile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var placed = regexp.MustCompile(`^fuzz\.ffsb:[1-9][0-9]*: [^\n\r]+$`)

// FuzzParse: no input makes Parse panic; what it says is one line with a
// place; what it reads can be written and reads back as the same, but for
// what generation C cannot say.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.ffsb")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	stat := []string{"stat_weight=1"}
	f.Add(oneC([]string{"size_weight 4k 1", "agefs=1", "[threadgroup]", "num_threads=1", "create_weight=1", "write_blocksize=1", "[end]"}, stat))
	f.Add(oneC([]string{"clone=/lab/b"}, append(stat, "[end]", "[filesystem]", "location=/lab/b", "init_util=0.5", "max_filesize=1")))
	f.Add(oneB([]string{"reuse=2"}, []string{"delete_weight=1", "bindfs=-1", "read_skip=1", "read_skipsize=7", "[stats]", "bucket 0 1", "[end]"}))
	f.Add("numconfigs=1\nnumfiles=1\nlocation=/lab/a\n[config0]\nthreads=1\niterations=5\nreadsize=0\nreadblocksize=3\nreadseeksize=9\nreadweight=1\n")
	f.Fuzz(func(t *testing.T, text string) { readsSafely(t, text) })
}

// Profiles with a few lines changed reach further than random bytes do.
func TestEditedProfiles(t *testing.T) {
	var bases [][]string
	var values, keys []string
	files, err := filepath.Glob("testdata/*.ffsb")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all := strings.Split(string(text), "\n")
		bases = append(bases, all)
		for _, l := range all {
			if key, val, ok := strings.Cut(l, "="); ok {
				keys, values = append(keys, key), append(values, val)
			}
		}
	}
	for _, known := range []string{globalsC.legal(), fsC.legal(), groupC.legal(), statsC.legal(), groupB.legal()} {
		keys = append(keys, strings.Split(known, ", ")...)
	}
	values = append(values, "", "0", "1", "2", "-1", "256", "4294967295", "4294967296", "1t", "0.5", "9223372036854775807", "4g", "a#b", "a b", "/lab/log")
	others := []string{"[end]", "[end1]", "[stats]", "[threadgroup]", "[threadgroup2]", "[filesystem]", "[filesystem3]", "[config2]", "bucket 0 1", "msec_range 0 1", "size_weight 1k 3", "#", "what"}
	rapid.Check(t, func(t *rapid.T) {
		all := slices.Clone(rapid.SampledFrom(bases).Draw(t, "base"))
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			at := rapid.IntRange(0, len(all)-1).Draw(t, "at")
			setting := rapid.SampledFrom(keys).Draw(t, "key") + "=" + rapid.SampledFrom(values).Draw(t, "value")
			switch rapid.IntRange(0, 5).Draw(t, "edit") {
			case 0:
				all = append(slices.Delete(all, at, at+1), "")
			case 1:
				all = slices.Insert(all, at, all[rapid.IntRange(0, len(all)-1).Draw(t, "from")])
			case 2:
				all = slices.Insert(all, at, setting)
			case 3:
				all = slices.Insert(all, at, rapid.SampledFrom(others).Draw(t, "other"))
			case 4:
				if key, _, ok := strings.Cut(all[at], "="); ok {
					all[at] = key + "=" + rapid.SampledFrom(values).Draw(t, "new value")
				}
			case 5:
				other := rapid.IntRange(0, len(all)-1).Draw(t, "other")
				all[at], all[other] = all[other], all[at]
			}
		}
		readsSafely(t, strings.Join(all, "\n"))
	})
}

// readsSafely is what must hold for any input.
func readsSafely(t rapid.TB, text string) {
	t.Helper()
	p, err := Parse("fuzz.ffsb", strings.NewReader(text))
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || !placed.MatchString(err.Error()) || p != nil {
			t.Fatalf("%#v", err)
		}
		return
	}
	for _, w := range p.Warnings {
		if !placed.MatchString(w) {
			t.Fatalf("warning %q", w)
		}
	}
	_ = p.CheckRun()
	var out strings.Builder
	if err := format(&out, p); err != nil {
		if unsayable(p) {
			return
		}
		t.Fatalf("cannot be written: %v", err)
	}
	back, err := Parse("back", strings.NewReader(out.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var again strings.Builder
	if err := format(&again, back); err != nil {
		t.Fatalf("%v", err)
	}
	if stripIterations(out.String()) != again.String() {
		t.Fatalf("written\n%s\nread back\n%s", out.String(), again.String())
	}
	if want, got := bare(p), bare(back); !reflect.DeepEqual(want, got) {
		t.Fatalf("want %+v\ngot %+v\n%s", want, got, out.String())
	}
}

// unsayable reports whether the profile holds what generation C has no words
// for: odd text, a location twice, or generation A's skipping over whole
// blocks.
func unsayable(p *Profile) bool {
	odd := func(v Value[string]) bool { return sayable("text", v) != nil }
	seen := map[string]bool{}
	for _, f := range p.Filesystems {
		if odd(f.Location) || seen[f.Location.V] {
			return true
		}
		seen[f.Location.V] = true
	}
	for _, g := range p.Groups {
		if p.Generation == GenA && g.ReadSkip.V {
			return true
		}
	}
	return odd(p.Callout)
}

func stripIterations(text string) string {
	return regexp.MustCompile(`(?m)^\t# [0-9]+ iterations .*\n`).ReplaceAllString(text, "")
}
