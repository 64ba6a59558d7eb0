package spec

import (
	"errors"
	"math"
	"strings"
	"testing"

	"hostlock/machine/param"
	"hostlock/machine/sim"
)

// placedLines fails where a line of an error about the file f has no place.
func placedLines(t *testing.T, err error) {
	t.Helper()
	var usage *UsageError
	if !errors.As(err, &usage) {
		t.Fatalf("%T: %v", err, err)
	}
	for line := range strings.Lines(err.Error()) {
		if !strings.HasPrefix(line, "f:") {
			t.Fatalf("a line without its place: %q", err)
		}
	}
}

func FuzzCosts(f *testing.F) {
	f.Add([]byte("[[parameter]]\nname = \"cost.rmw\"\nvalue = \"10ns\"\nsource = \"here\"\n"))
	f.Add([]byte("[[parameter]]\nname = \"cost.rmw\"\nvalue = 1e400\n"))
	f.Add([]byte("parameter = [{name = \"cost.rmw\", value = 0}]\n"))
	f.Add([]byte("nme = 3\n[scale]\n[[case]]\n"))
	f.Add([]byte("\xef\xbb\xbf"))
	f.Add([]byte("name = \"mine\"\nlike = \"arm-graviton2\"\n[[parameter]]\nname = \"cost.rmw\"\nvalue = \"9ns\"\n"))
	legal := param.New()
	legal.Declare(sim.Params()...)
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := parseCostTable("f", text)
		if err != nil {
			placedLines(t, err)
			return
		}
		costs, err := table.Settings()
		if err != nil || len(costs) == 0 {
			t.Fatalf("a cost table of nothing: %v", err)
		}
		for _, c := range costs {
			if err := legal.Set(c.Name, c.Value); err != nil {
				t.Fatalf("taken: %v", err)
			}
		}
	})
}

func FuzzSetting(f *testing.F) {
	for _, kv := range []string{"scale=4", "scale=1e-9", "hbas=2", " fs.cpu = 1us ", "=", "a=b=c", "scale=NaN", "hbas=1e3", "scale=0x1p4"} {
		f.Add(kv, "fs.cpu=2us")
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		var list []param.Setting
		for _, text := range []string{one, other} {
			v, err := param.ParseSetting(text)
			if err != nil {
				var wrong *param.Error
				if !errors.As(err, &wrong) || wrong.Legal == "" {
					t.Fatalf("%T: %v", err, err)
				}
				return
			}
			if v.Name == "" || v.Value == "" {
				t.Fatalf("%q was taken as %+v", text, v)
			}
			list = append(list, v)
		}
		scale, hbas, err := LoadSettings(list)
		if err != nil {
			var usage *UsageError
			if !errors.As(err, &usage) || !IsLoad(usage.Parameter) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if scale < 0 || scale > maxScale || math.IsNaN(scale) || hbas < 0 || hbas > MaxHBAs {
			t.Fatalf("scale %g, HBAs %d", scale, hbas)
		}
	})
}

func FuzzDuration(f *testing.F) {
	for _, text := range []string{"1.5us", "0", "1m30s", "24h", "-0", "1e-3ns", "9e18ns", "µs", "0x1p3s", " 2s "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, positive := range []bool{true, false} {
			d, err := ParseDuration(text, positive)
			switch {
			case err != nil && (d != 0 || !strings.Contains(err.Error(), "legal: ")):
				t.Fatalf("%q: %v, %v", text, d, err)
			case err == nil && (d < 0 || d > MaxDuration || positive && d == 0):
				t.Fatalf("%q was taken as %v", text, d)
			}
		}
	})
}
