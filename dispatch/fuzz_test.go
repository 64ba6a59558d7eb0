package dispatch

import (
	"strings"
	"testing"
)

// FuzzLookup: however a name is spelt, it is found under that spelling only if
// it is one of ours, and an unknown one is told what there is.
func FuzzLookup(f *testing.F) {
	for _, name := range []string{"host-lock", "HOST_LOCK", " ring ", "", "Ring\x00", "RİNG", "-", "per--queue"} {
		f.Add(name)
	}
	var r registry[string]
	r.add("strategy", "host-lock", []string{"Old_Name"}, "host-lock")
	r.add("strategy", "ring", nil, "ring")
	f.Fuzz(func(t *testing.T, name string) {
		got, err := r.find("strategy", name)
		if err != nil {
			if got != "" || !strings.Contains(err.Error(), "; legal: host-lock, ring") {
				t.Fatalf("%q: %q, %v", name, got, err)
			}
			return
		}
		if again, err := r.find("strategy", strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); err != nil || again != got {
			t.Fatalf("%q is %s, and in capitals %q, %v", name, got, again, err)
		}
	})
}
