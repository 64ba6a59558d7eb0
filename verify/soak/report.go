package soak

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"hostlock/dispatch/eh"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/results"
)

// Summary is a report as it is written for other programs.
type Summary struct {
	Schema    int              `json:"schema"`
	Partial   bool             `json:"partial"`
	Strategy  string           `json:"strategy"`
	Machine   string           `json:"machine"`
	Driver    string           `json:"driver"`
	Cores     int              `json:"cores,omitempty"` // simulated
	Threads   int              `json:"threads"`
	Depth     int              `json:"depth"`
	Seed      uint64           `json:"seed"`
	Commands  LedgerSummary    `json:"commands"`
	Injected  map[string]int64 `json:"injected"`
	Errors    *ErrorSummary    `json:"error_handling"` // null without
	Limits    []LimitSummary   `json:"limits"`
	Readings  []ReadingSummary `json:"readings"`
	GrowthKiB float64          `json:"heap_growth_kib"`
	Problems  []string         `json:"problems"`
}

// LedgerSummary is a run's book.
type LedgerSummary struct {
	Issued     int64 `json:"issued"`
	Completed  int64 `json:"completed"`
	Failed     int64 `json:"failed"`
	Requeued   int64 `json:"requeued"`
	Lost       int64 `json:"lost"`
	Duplicates int64 `json:"duplicates"`
}

// ErrorSummary is what error handling did. Stages has aborts and resets by level.
type ErrorSummary struct {
	Recoveries int64            `json:"recoveries"`
	TimedOut   int64            `json:"timed_out"`
	Late       int64            `json:"late"`
	Retried    int64            `json:"retried"`
	GaveUp     int64            `json:"gave_up"`
	Extended   int64            `json:"extended"`
	Senses     int64            `json:"senses"`
	Starts     int64            `json:"starts"`
	Offlined   int64            `json:"offlined"`
	Stages     map[string]int64 `json:"stages"`
}

// LimitSummary is a limit, and the most that was with the driver at a time.
type LimitSummary struct {
	What  string `json:"what"`
	Limit int    `json:"limit"`
	Max   int    `json:"max"`
	Over  int64  `json:"over"`
}

// ReadingSummary is a reading.
type ReadingSummary struct {
	Commands   int64   `json:"commands"`
	Elapsed    float64 `json:"elapsed_s"`
	Processor  float64 `json:"processor_s"`
	Heap       uint64  `json:"heap_bytes"`
	Goroutines int     `json:"goroutines"`
	Resident   uint64  `json:"resident_bytes"`
}

// Summary is the report for other programs.
func (r *Report) Summary() *Summary {
	c, growth := &r.Config, 0.0
	if g, ok := r.Growth(); ok {
		growth = g / 1024
	}
	s := &Summary{
		Schema: 1, Partial: r.Partial, Strategy: c.Strategy, Machine: c.Machine, Driver: c.Driver, Cores: c.Cores,
		Threads: c.Threads, Depth: c.Depth, Seed: c.Seed, Commands: LedgerSummary(r.Ledger), Injected: map[string]int64{},
		Limits: []LimitSummary{}, Readings: []ReadingSummary{}, GrowthKiB: growth, Problems: append([]string{}, r.Problems...),
	}
	for _, f := range r.Injected {
		s.Injected[f.Name] = f.Value
	}
	if r.Recovers {
		e := &r.Errors
		s.Errors = &ErrorSummary{
			Recoveries: e.Recoveries, TimedOut: e.TimedOut, Late: e.Late, Retried: e.Retried, GaveUp: e.GaveUp,
			Extended: e.Extended, Senses: e.Senses, Starts: e.Starts,
			Offlined: e.Offlined, Stages: map[string]int64{},
		}
		for l, n := range e.Stages {
			s.Errors.Stages[eh.Level(l).String()] = n
		}
	}
	for _, v := range r.Limits {
		s.Limits = append(s.Limits, LimitSummary(v))
	}
	for _, v := range r.Readings {
		s.Readings = append(s.Readings, ReadingSummary{
			v.Commands, v.Elapsed.Seconds(), v.Processor.Seconds(), v.Heap, v.Goroutines, v.Resident,
		})
	}
	return s
}

// Report is what a soak did, and what it found.
type Report struct {
	Config   Config    // with defaults filled in
	Recovers bool      // commands could time out, and an error handler saw to them
	Readings []Reading // before the run, after every tenth, and once the machine has stopped
	Ledger   tally.Counts
	Injected []tally.FaultCount // faults by kind, those of the handler's own commands included
	Errors   eh.Counts
	Limits   []tally.LimitCheck
	Partial  bool // interrupted
	// Panic is what ended the run where the program panicked, with its stack; nil
	// otherwise. It is among the problems, too.
	Panic *machine.Panicked
	// Problems are what was found, a line each; none is what every strategy must
	// reach.
	Problems []string
}

// Growth is how much the live heap grew from the second tenth to the end, in
// bytes: the slope of the least-squares line through the readings, times its
// length, so that no single reading decides. False where there are too few.
func (r *Report) Growth() (bytes float64, ok bool) {
	last := len(r.Readings) - 1
	if last < 5 {
		return 0, false
	}
	var x, y []float64
	for _, a := range r.Readings[2:last] { // when everything has been used, and nothing is gone
		x = append(x, float64(a.Commands))
		y = append(y, float64(a.Heap))
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope * (x[len(x)-1] - x[0]), true
}

func recoveries(n int64) string {
	if n == 1 {
		return "1 recovery"
	}
	return fmt.Sprintf("%d recoveries", n)
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	c, l, e := &r.Config, &r.Ledger, &r.Errors
	if r.Panic != nil {
		// What was counted until then is of a run that nobody ended.
		fmt.Fprintf(&b, "soak of %s on %s, driver %s, seed %d: ended by a panic\n", c.Strategy, c.Machine, c.Driver, c.Seed)
		for _, p := range r.Problems {
			fmt.Fprintf(&b, "FOUND: %s\n", p)
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	end := r.Readings[len(r.Readings)-1]
	fmt.Fprintf(&b, "soak of %s on %s, driver %s, seed %d: %d commands on %d threads, %d at a time each, in %v",
		c.Strategy, c.Machine, c.Driver, c.Seed, end.Commands, c.Threads, c.Depth, end.Elapsed.Round(time.Millisecond))
	if end.Processor > 0 {
		fmt.Fprintf(&b, ", %.0f ns of processor time a command", float64(end.Processor)/float64(max(end.Commands, 1)))
	}
	b.WriteByte('\n')
	fmt.Fprintf(&b, "ledger: %d issued = %d completed + %d failed, %d lost, %d completed twice; %d put back\n",
		l.Issued, l.Completed, l.Failed, l.Lost, l.Duplicates, l.Requeued)
	var parts []string
	for _, f := range r.Injected {
		if f.Value > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", f.Name, f.Value))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(&b, "faults: %s\n", strings.Join(parts, ", "))
	}
	if r.Recovers {
		fmt.Fprintf(&b, "error handling: %s of the host; %s timed out, %d of those answered late, %d tried again, %d given up; sense data asked for %s; %s; resets: %d of devices, %d of targets, %d of buses, %d of hosts; %s offline\n",
			recoveries(e.Recoveries), results.Count(int(e.TimedOut), "command"), e.Late, e.Retried, e.GaveUp, results.Count(int(e.Senses), "time"),
			results.Count(int(e.Stages[eh.CommandAbort]), "abort"), e.Stages[eh.DeviceReset],
			e.Stages[eh.TargetReset], e.Stages[eh.BusReset], e.Stages[eh.HostReset], results.Count(int(e.Offlined), "device"))
	} else if !c.NoFaults {
		fmt.Fprintf(&b, "error handling: none, and no command dropped: the strategy is no dispatch.Recoverer, or the driver drops none\n")
	}
	parts = nil
	for _, v := range r.Limits {
		parts = append(parts, fmt.Sprintf("%s %d of %d", v.What, v.Max, v.Limit))
	}
	fmt.Fprintf(&b, "most at a time: %s\n", strings.Join(parts, ", "))
	fmt.Fprintf(&b, "\n%14s %10s %10s %14s %11s %13s\n", "commands", "seconds", "CPU s", "live heap KiB", "goroutines", "resident KiB")
	for _, v := range r.Readings {
		fmt.Fprintf(&b, "%14d %10.1f %10.1f %14d %11d %13d\n",
			v.Commands, v.Elapsed.Seconds(), v.Processor.Seconds(), v.Heap>>10, v.Goroutines, v.Resident>>10)
	}
	if g, ok := r.Growth(); ok {
		fmt.Fprintf(&b, "live heap from the second tenth on: %+.1f KiB by least squares\n", g/1024)
	}
	b.WriteByte('\n')
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "FOUND: %s\n", p)
	}
	switch {
	case r.Partial && len(r.Problems) == 0:
		b.WriteString("PARTIAL: interrupted; no finding so far\n")
	case r.Partial:
		b.WriteString("PARTIAL: interrupted\n")
	case len(r.Problems) == 0:
		b.WriteString("no finding\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
