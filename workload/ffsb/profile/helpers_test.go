package profile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lines makes a profile out of its lines.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// oneC is a profile of generation C with the given lines in its filesystem
// (from line 3 on) and in its group (from line 8 on, if fs is empty).
func oneC(fs, group []string) string {
	all := []string{"time=10", "[filesystem]"}
	all = append(all, fs...)
	all = append(all, "location=/lab/a", "num_files=4", "[end]")
	all = append(all, "[threadgroup]", "num_threads=2")
	all = append(all, group...)
	return lines(append(all, "[end]")...)
}

// oneB is the same in generation B; the filesystem's lines start at line 5.
func oneB(fs, group []string) string {
	all := []string{"num_filesystems=1", "num_threadgroups=1", "time=10", "[filesystem0]"}
	all = append(all, fs...)
	all = append(all, "location=/lab/a", "num_files=4", "[end0]")
	all = append(all, "[threadgroup0]", "num_threads=2")
	all = append(all, group...)
	return lines(append(all, "[end0]")...)
}

func parse(t *testing.T, text string) (*Profile, error) {
	t.Helper()
	return Parse("t.ffsb", strings.NewReader(text))
}

func mustParse(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := parse(t, text)
	require.NoError(t, err)
	return p
}

// bare returns a copy without everything that depends on how the profile was
// written: positions, warnings, generation, name and, since generation C has
// none, iterations.
func bare(p *Profile) *Profile {
	c := strip(reflect.ValueOf(*p)).Interface().(Profile)
	c.Name, c.Generation, c.Warnings = "", 0, nil
	for i := range c.Groups {
		c.Groups[i].Iterations.V = 0
	}
	return &c
}

// strip returns a deep copy of v with every Pos zero and every empty slice
// nil.
func strip(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Pos]() {
			return out
		}
		for i := range v.NumField() {
			out.Field(i).Set(strip(v.Field(i)))
		}
	case reflect.Slice:
		if v.Len() > 0 {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(strip(v.Index(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(strip(v.Elem()))
		}
	default:
		out.Set(v)
	}
	return out
}
