package computer

import (
	"strings"
	"testing"
	"time"
)

func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		n       Neighbours
		text    string
		warning bool
	}{
		{Neighbours{}, "other processes: unknown", false},
		{Neighbours{Known: true, CPU: 0.02}, "other processes: 0.02 CPU", false},
		{Neighbours{Known: true, CPU: 0.5, Top: "cc (process 7)", TopCPU: 0.4}, "other processes: 0.50 CPU, most of it cc (process 7) with 0.40", true},
		{Neighbours{Known: true, CPU: 0.5, Top: "cc (process 7)", TopCPU: 0.1}, "other processes: 0.50 CPU, the largest still there cc (process 7) with 0.10", true},
	} {
		if c.n.String() != c.text || (c.n.Warning() != "") != c.warning {
			t.Errorf("%q, warning %q", c.n.String(), c.n.Warning())
		}
	}
	// The limit between doubtful waits and a worthless run, and who is to blame.
	n := Neighbours{Known: true, CPU: 0.1, Watched: time.Second}
	if w := n.Warning(); n.Disturbed() || !strings.Contains(w, "trust the CPU profile") {
		t.Errorf("%q", w)
	}
	n.CPU = 1.61
	n.name(map[int]processUse{7: {"cc", time.Second}}, map[int]processUse{
		7: {"cc", 1800 * time.Millisecond}, 8: {"ld", 500 * time.Millisecond}, 9: {"as", 310 * time.Millisecond}, 5: {"idle", 10 * time.Millisecond},
	})
	w := n.Warning()
	for _, part := range []string{"DISTURBED", "no figure of this run", "cc (process 7) with 0.80", "then ld (process 8) with 0.50, as (process 9) with 0.31"} {
		if !strings.Contains(w, part) {
			t.Errorf("%q says no %q", w, part)
		}
	}
	if strings.Contains(w, "trust the CPU profile") {
		t.Errorf("%q", w)
	}
	if n := StartWatch().Stop(); n.Known {
		t.Errorf("claims to know after %v: %v", n.Watched, n)
	}
}
