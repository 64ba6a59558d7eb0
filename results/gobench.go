package results

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// benchUnits are the units of a run's benchmark line that Go's own do not have,
// with which way is better; "" where that is the reader's to say.
var benchUnits = [][2]string{
	{"IOPS", "higher"}, {"p99-us", "lower"}, {"mean-us", "lower"}, {"host-lock-%", ""}, {"contention-%", ""}, {"busy-%", ""},
}

// BenchHead is what stands before benchmark lines of runs: which way is better
// in the units that are the lab's own.
func BenchHead() []benchfmt.Record {
	var out []benchfmt.Record
	for _, u := range benchUnits {
		if u[1] != "" {
			out = append(out, &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: u[0], Key: "better"}, OrigUnit: u[0], Value: u[1]})
		}
	}
	return out
}

// Bench is a run as a line of Go's benchmark format: a command is an operation.
// What sides of a comparison may differ in, the strategy above all, stands in the
// configuration before the line and not in its name, so that lines of two files
// belong together, as those of two versions of a program do.
func Bench(r *Result) *benchfmt.Result {
	r = r.rounded()
	e := r.Experiment
	b := &benchfmt.Result{
		Name:  benchfmt.Name(fmt.Sprintf("Run/experiment=%s/machine=%s-%d", oneWord(e.Name), oneWord(e.Machine), e.Cores)),
		Iters: int(r.Commands.Completed),
	}
	for _, kv := range [][2]string{{"strategy", e.Strategy}, {"driver", e.Driver}, {"workload", e.Workload}} {
		b.Config = append(b.Config, benchfmt.Config{Key: kv[0], Value: []byte(oneWord(kv[1])), File: true})
	}
	if r.IOPS > 0 {
		const ns = 1e9
		b.Values = append(b.Values, benchfmt.Value{Value: 1 / r.IOPS, Unit: "sec/op", OrigValue: round(ns/r.IOPS, rateDecimals), OrigUnit: "ns/op"})
	}
	for i, v := range []float64{r.IOPS, r.Latency.P99, r.Latency.Mean, r.CPU.HostLock, r.CPU.Contention, r.CPU.Busy} {
		b.Values = append(b.Values, benchfmt.Value{Value: v, Unit: benchUnits[i][0]})
	}
	return b
}

// oneWord keeps a text from becoming two fields of a line.
func oneWord(s string) string {
	if s == "" {
		return "-"
	}
	return strings.Join(strings.Fields(s), "_")
}

// writeGoBench prints a run as Go's benchmark format has it: what benchstat
// reads, and lab compare.
func writeGoBench(w io.Writer, r *Result) error {
	out := benchfmt.NewWriter(w)
	for _, rec := range append(BenchHead(), Bench(r)) {
		if err := out.Write(rec); err != nil {
			return err
		}
	}
	return nil
}
