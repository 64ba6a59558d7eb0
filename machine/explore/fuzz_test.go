package explore

import (
	"slices"
	"strings"
	"testing"
)

// FuzzScheduleName: a schedule's name that is taken names the same schedule
// when it is printed, and any other is told what a name looks like.
func FuzzScheduleName(f *testing.F) {
	for _, text := range []string{"1:0", "1:x:", "7:12:-1.0-2,3.14-0", "1:x", "1:0:1.2-3x", "1:0:1.2-3 ,", "18446744073709551615:9223372036854775807", ":", "1:-1", "1:0:+1.2-3", "1:0:1.2--3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseName(text)
		if err != nil {
			if !strings.Contains(err.Error(), "; legal: ") {
				t.Fatal(err)
			}
			return
		}
		back, err := parseName(n.String())
		if err != nil || back.seed != n.seed || back.number != n.number || back.listed != n.listed || !slices.Equal(back.list, n.list) {
			t.Fatalf("%q is %q, which is %+v, %v", text, n.String(), back, err)
		}
		for _, d := range n.list {
			if d.agent < -1 || d.step < 0 || d.to < 0 {
				t.Fatalf("%q was taken as %+v", text, n)
			}
		}
		if strings.Count(n.String(), ",") != max(len(n.list)-1, 0) || len(n.String()) > len(text) {
			t.Fatalf("%q has more in it than %q", text, n.String())
		}
	})
}
