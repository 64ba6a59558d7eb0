package experiment_test

import (
	"context"
	"testing"

	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	_ "hostlock/strategies"
	_ "hostlock/workload/ffsb"
)

// BenchmarkHeadlinePair is both runs of the headline, two virtual seconds
// each: what somebody waits for who tries a number.
func BenchmarkHeadlinePair(b *testing.B) {
	for name, dir := range map[string]string{"plain": "", "profiles": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			exp, err := spec.Load("chen-2010")
			if err != nil {
				b.Fatal(err)
			}
			var events, commands int64
			for range b.N {
				for _, s := range []string{"host-lock", "unlocked-qcmds"} {
					r, err := do(context.Background(), exp, experiment.Request{Strategy: s, Machine: "sim"}, experiment.Options{ProfilesDir: dir})
					if err != nil {
						b.Fatal(err)
					}
					events += r.EventCount
					commands += r.Commands.Completed
				}
			}
			b.ReportMetric(float64(events)/float64(commands), "events/IO")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
