package sweep

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"hostlock/experiment/spec"
	"hostlock/results"
)

func FuzzExpand(f *testing.F) {
	for _, text := range []string{"1..256", "1,2,5..9+2", "0.5us..12us", "tas,ticket", "1e-3..1e3", "-1..1+0.1", "9007199254740991..9007199254740993+1", "0..1+1e-300", "1..2..3", "1.e..2"} {
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, byOne bool) {
		values, err := Expand(text, byOne)
		if err != nil {
			if !strings.Contains(err.Error(), "legal: ") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		seen := map[string]bool{}
		for _, v := range values {
			if v == "" || seen[v] {
				t.Fatalf("%q: %q", text, values)
			}
			seen[v] = true
		}
		if len(values) == 0 || len(values) > strings.Count(text, ",")*(maxValues+2)+maxValues+2 {
			t.Fatalf("%q: %d values", text, len(values))
		}
	})
}

func FuzzShard(f *testing.F) {
	for _, text := range []string{"2/3", "1/1", "0/1", "-1/-1", "1/100000", "1/2/3", "9223372036854775808/1"} {
		f.Add(text, "1", "2", 3)
	}
	f.Fuzz(func(t *testing.T, text, lowest, step string, count int) {
		if s, err := ParseShard(text); err == nil && (s.Index < 1 || s.Index > s.Count || s.Count > maxShards) {
			t.Fatalf("%q was taken as %v", text, s)
		}
		env := map[string]string{"SLURM_ARRAY_TASK_ID": text, "SLURM_ARRAY_TASK_MIN": lowest, "SLURM_ARRAY_TASK_STEP": step, "SLURM_ARRAY_TASK_COUNT": lowest}
		s, from, err := ShardFromEnv(func(name string) string { return env[name] }, count)
		var usage *spec.UsageError
		switch {
		case err != nil && !errors.As(err, &usage):
			t.Fatalf("%T: %v", err, err)
		case err == nil && from != "" && (s.Index < 1 || s.Index > s.Count):
			t.Fatalf("%v was taken as %v", env, s)
		}
	})
}

// FuzzMerge: no file makes a merge panic; what it reads it can print, and
// merges with itself to the same.
func FuzzMerge(f *testing.F) {
	for _, text := range []string{
		"", "[]", "{}", `{"schema":1,"sweep":{"strategies":["ring"],"cores":[1,2],"seeds":[1],"axes":[{"name":"a","values":["1","2"]}]},"points":[{"key":"x","cores":1,"iops":1e300}]}`,
	} {
		f.Add([]byte(text))
	}
	whole := results.Sweep{Definition: results.SweepDef{Strategies: []string{"ring", "host-lock"}, Cores: []int{1, 2}, Seeds: []uint64{1, 2}}}
	for _, id := range enumerate(&whole.Definition) {
		id.IOPS = 1000
		whole.Points = append(whole.Points, id)
	}
	var b bytes.Buffer
	if err := whole.WriteJSON(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		part, err := results.ReadSweep(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "Go ") {
				t.Fatalf("%q", err)
			}
			return
		}
		s, _, err := Merge([]string{"f", "g"}, []*results.Sweep{part, part})
		if err != nil {
			var usage *spec.UsageError
			if !errors.As(err, &usage) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, format := range results.SweepFormats() {
			if err := format.Write(io.Discard, s); err != nil {
				t.Fatalf("%s: %v", format.Name, err)
			}
		}
	})
}
