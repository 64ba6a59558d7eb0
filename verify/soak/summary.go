package soak

import (
	"hostlock/dispatch/eh"
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
