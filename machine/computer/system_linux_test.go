package computer

import (
	"testing"
	"time"
)

func TestParseProcess(t *testing.T) {
	const rest = " S 1 2 3 4 5 6 7 8 9 10 30 12 13 14 15 16"
	for name, text := range map[string]string{
		"bash":           "12 (bash)" + rest,
		"a) S 9 (b":      "13 (a) S 9 (b)" + rest,
		"tmux: server 1": "14 (tmux: server 1)" + rest,
	} {
		p, ok := parseProcess([]byte(text))
		if !ok || p.name != name || p.used != 42*userTick {
			t.Errorf("%q: %+v, %v", text, p, ok)
		}
	}
	for _, text := range []string{"", "12 bash S 1", "12 )bash(" + rest, "12 (bash) S 1 2", "12 (bash) S 1 2 3 4 5 6 7 8 9 10 x y"} {
		if p, ok := parseProcess([]byte(text)); ok {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

func TestReadSystemCPU(t *testing.T) {
	s := readSystemCPU()
	if !s.known {
		t.Skip("no /proc here")
	}
	if s.busy < userTick || s.busy > 1e6*time.Hour {
		t.Errorf("%v used since the system was started", s.busy)
	}
}
