package lab

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// fuzzed are the commands that run nothing but what a test puts in their place,
// and write nowhere but to stdout.
var fuzzed = []string{"run", "sweep", "compare", "reproduce", "show", "list", "help", "completion", "version"}

// writes are flags that would leave files behind.
var writes = []string{"-output", "-plot", "-resume", "-profiles", "-o"}

// FuzzCommandLine: no command line makes the lab panic; a wrong one is told
// why, and has written nothing.
func FuzzCommandLine(f *testing.F) {
	for i, line := range []string{
		"--strategy ring --machine sim --cores 4 --duration 1ms --set fs.cpu=1us --seed 3 --weak",
		"--cores 1..4 --strategy all --set host.can_queue=1,2 --seeds 1..2 --shard 1/2 --format csv",
		"host-lock ring:fs.cpu=1us --set lock.host_lock=queued --seeds 1,2 --no-sets --format json",
		"host-lock --strict --format markdown", "driver mptsas", "strategies --format json", "run", "bash", "",
	} {
		f.Add(uint8(i), line)
	}
	f.Fuzz(func(t *testing.T, command uint8, line string) {
		args := append([]string{fuzzed[int(command)%len(fuzzed)]}, strings.Fields(line)...)
		for _, arg := range args[1:] {
			for _, w := range writes {
				if strings.Contains(arg, w) {
					t.Skip("would write")
				}
			}
		}
		if strings.Contains(line, "..") && (strings.Contains(line, "000") || strings.Contains(line, "e")) {
			t.Skip("sweeps of many points take their time")
		}
		var stdout, stderr syncBuffer
		var runs atomic.Int32
		a := newApp(&stdout, &stderr)
		a.run = func(ctx context.Context, p *experiment.Plan, o experiment.Options) (*results.Result, error) {
			runs.Add(1)
			return collapsing(ctx, p, o)
		}
		a.derive = underived
		switch status := a.main(args); {
		case strings.Contains(stderr.String(), "this is a bug"):
			t.Fatalf("%q: %s", args, stderr.String())
		case status == exitUsage && stdout.String() != "":
			t.Fatalf("%q: wrong, and printed %s", args, stdout.String())
		case status == exitUsage && stderr.String() == "":
			t.Fatalf("%q: wrong, and not a word", args)
		case status == exitUsage && runs.Load() > 0:
			t.Fatalf("%q: wrong, and was run: %s", args, stderr.String())
		}
	})
}

// FuzzFlags: what a flag takes is in its range, and prints as what it takes.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{"1", "+4", "0", "-1", "18446744073709551615", "1e3", "profile", "2s", "10,20", "45", "NaN", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n int
		if (count[int]{to: &n, max: 100}).Set(text) == nil && (n < 1 || n > 100) {
			t.Fatalf("count %q: %d", text, n)
		}
		var long, again time.Duration
		var profile bool
		d := duration{&long, &profile}
		if d.Set(text) == nil && !profile && (long <= 0 || long > spec.MaxDuration || (duration{to: &again}).Set(d.String()) != nil) {
			t.Fatalf("duration %q: %v", text, long)
		}
		var s shares
		if s.Set(text) == nil && (len(s) == 0 || new(shares).Set(s.String()) != nil) {
			t.Fatalf("shares %q: %v", text, s)
		}
		var one, other experiment.Seed
		if (seed{&one}).Set(text) == nil && (seed{&other}).Set(seed{&one}.String()) != nil {
			t.Fatalf("seed %q: %v", text, one)
		}
		var list []param.Setting
		if err := (settings{&list}).Set(text); err == nil && len(list) != 1 {
			t.Fatalf("%q: %v", text, list)
		}
	})
}
