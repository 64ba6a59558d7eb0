package verify

// Summary is a report as it is written for other programs.
type Summary struct {
	Schema      int            `json:"schema"`
	Partial     bool           `json:"partial"`
	Strategy    string         `json:"strategy"`
	Driver      string         `json:"driver"`
	Threads     int            `json:"threads"`
	Commands    int            `json:"commands"`
	LUNs        int            `json:"luns"`
	CanQueue    int            `json:"can_queue"`
	Seed        uint64         `json:"seed"`
	Exhaustive  bool           `json:"exhaustive"`
	Preemptions int            `json:"preemptions,omitempty"`
	Schedules   int            `json:"schedules"`
	Distinct    int            `json:"distinct,omitempty"`
	Cut         int            `json:"cut,omitempty"`
	Complete    bool           `json:"complete"`
	Share       float64        `json:"share,omitempty"`
	Operations  int64          `json:"operations"`
	Elapsed     float64        `json:"elapsed_s"`
	Scenarios   map[string]int `json:"scenarios"`
	Skipped     []string       `json:"skipped,omitempty"`
	// The chance that a fault of depth 2 would have shown, at least: one that every
	// scenario shows, and one that shows in the scenario alone that was run least.
	ChanceEvery float64         `json:"chance_every_scenario,omitempty"`
	ChanceLeast float64         `json:"chance_least_scenario,omitempty"`
	Late        int             `json:"late_timer_schedules"`
	Stalled     int             `json:"stalled_schedules"`
	Long        *LongSummary    `json:"long_run,omitempty"`
	Finding     *FindingSummary `json:"finding"`
}

// LongSummary is the long run as it is written for other programs.
type LongSummary struct {
	Commands int   `json:"commands"`
	Cores    int   `json:"cores"`
	Waited   int64 `json:"most_others_while_a_lun_waited"`
}

// FindingSummary is a finding as it is written for other programs.
type FindingSummary struct {
	Kind     string        `json:"kind"`
	What     string        `json:"what"`
	Scenario string        `json:"scenario"`
	Schedule string        `json:"schedule"`
	Number   int           `json:"number"`
	Replay   string        `json:"replay"`
	Steps    []StepSummary `json:"steps"`
}

// StepSummary is one operation.
type StepSummary struct {
	Agent  string `json:"agent"`
	Op     string `json:"op"`
	Object string `json:"object,omitempty"`
	Where  string `json:"where,omitempty"` // import path of the package, file and line; of a main package the file alone
	// Verb is which of the methods of a strategy or driver the operation belongs to,
	// and Via the line in that method.
	Verb string `json:"verb,omitempty"`
	Via  string `json:"via,omitempty"`
}

// Summary is the report for other programs. Complete says that everything that
// was asked for was run.
func (r *Report) Summary() *Summary {
	c, e := &r.Config, &r.Explored
	every, least, _ := r.chance()
	var long *LongSummary
	if r.Long != nil {
		long = &LongSummary{Commands: r.Long.Commands, Cores: LongCores, Waited: r.Long.Waited}
	}
	return &Summary{
		Long:        long,
		ChanceEvery: every, ChanceLeast: least,
		Schema: 1, Partial: r.Partial, Strategy: c.Strategy, Driver: c.Driver, Threads: c.Threads, Commands: c.Commands,
		LUNs: c.LUNs, CanQueue: c.CanQueue, Seed: c.Seed, Exhaustive: c.Exhaustive,
		Preemptions: c.bound(), Share: e.Share,
		Schedules: e.Schedules, Distinct: e.Distinct, Cut: e.Cut,
		Complete:   e.Complete || !c.Exhaustive && e.Schedules == c.Schedules,
		Operations: e.Steps, Elapsed: e.Elapsed.Seconds(), Scenarios: r.Turns, Skipped: r.Skipped,
		Late: r.Late, Stalled: r.Stalled, Finding: r.Finding.Summary(),
	}
}

// Summary is the finding for other programs; nil for nil.
func (f *Finding) Summary() *FindingSummary {
	if f == nil {
		return nil
	}
	s := &FindingSummary{
		Kind: string(f.Kind), What: f.What, Scenario: f.Scenario, Schedule: f.Schedule,
		Number: f.Index, Replay: f.Command(), Steps: []StepSummary{},
	}
	for _, t := range f.Trace {
		s.Steps = append(s.Steps, StepSummary{
			Agent: t.Agent, Op: t.Op, Object: t.Object, Where: t.Where.Full(), Verb: t.Verb, Via: t.Via.Full(),
		})
	}
	return s
}
