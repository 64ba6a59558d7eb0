package computer

import "testing"

// FuzzProcess: whatever a process calls itself, its line is read or left out.
func FuzzProcess(f *testing.F) {
	for _, text := range []string{
		"1 (init) S 0 1 1 0 -1 4194560 1 2 3 4 10 20 0 0 20 0 1 0 5 6 7", "7 (a) b (c)) R 1", "()", ")(", "", "1 (x) S 0 1 1 0 -1 4194560 1 2 3 4 9223372036854775807 1 0",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, ok := parseProcess(text); !ok && p != (processUse{}) {
			t.Fatalf("%q: left out, and %+v", text, p)
		}
	})
}
