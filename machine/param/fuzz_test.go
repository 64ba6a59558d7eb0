package param

import (
	"math"
	"strings"
	"testing"
)

// FuzzSet: whatever a parameter takes is finite and in its range, is read by
// its getter as the same, and is taken again as it is listed.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"1.5us", "1e300us", "4", "-1", "0.3", "1e308", "true", "4k", "1099511627775g", "x", "NaN", "0x10", " 7 ", "1_000", "1m30s"} {
		for _, name := range []string{"a.time", "a.free", "a.count", "a.ratio", "a.on", "a.size", "b.kind"} {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		s := set()
		if err := s.Set(name, text); err != nil {
			if !strings.Contains(err.Error(), "legal: ") {
				t.Fatalf("%q=%q: %v", name, text, err)
			}
			return
		}
		for _, v := range s.Values() {
			if math.IsNaN(v.Num) || math.IsInf(v.Num, 0) || v.Num < 0 || v.Max > 0 && v.Num > v.Max || v.Num > 1<<53 {
				t.Fatalf("%q=%q was taken as %g", name, text, v.Num)
			}
			if v.Name == name {
				if err := s.Clone().Set(name, v.Text); err != nil {
					t.Fatalf("listed as %q: %v", v.Text, err)
				}
			}
		}
		if s.Duration("a.free") < 0 || s.Bytes("a.size") < 0 || s.Int("a.count") < 1 {
			t.Fatalf("%q=%q overflows", name, text)
		}
	})
}
