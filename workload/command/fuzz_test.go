package command_test

import (
	"strings"
	"testing"

	"hostlock/workload"
	_ "hostlock/workload/dd"
	_ "hostlock/workload/disktest"
	_ "hostlock/workload/ffsb"
	_ "hostlock/workload/fio"
	_ "hostlock/workload/sgpdd"
)

// FuzzParseAny: a text of no or any kind is either refused in one line with
// its place, or a workload that can say what it is.
func FuzzParseAny(f *testing.F) {
	for _, b := range workload.Builtins() {
		w, err := workload.Load(b.Name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(w.Text()))
	}
	for _, text := range []string{"", "\xef\xbb\xbf", "\xff\xfe", "dd", "sgp_dd if=/dev/sg0 of=. thr=1\nx", "[config0]", "disktest -é /dev/sda", "\x00dd"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := workload.Parse("f", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") && text != "f" {
				t.Fatalf("%q: no place: %v", text, err)
			}
			return
		}
		if w.Kind() == "" || w.About() == "" || w.Threads() < 0 || w.Duration() < 0 || string(w.Text()) != text {
			t.Fatalf("%q was taken as %s, %d threads, %v", text, w.About(), w.Threads(), w.Duration())
		}
		_ = w.Warnings()
	})
}
