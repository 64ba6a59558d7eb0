package results

// Schema is the version of the JSON object; it grows when a member is renamed
// or changes its meaning, never when one is added.
const Schema = 1

// Result is what one run found; its JSON is what `lab run --format json`
// prints. Every figure covers the measured window only, warm-up left out.
// Fields without a JSON name serve the reports that people read.
type Result struct {
	Schema  int  `json:"schema"`
	Partial bool `json:"partial"` // the window is shorter than asked for
	// Ended is why, where the workload came to its end before its time; "" where
	// the run was interrupted from outside, or is whole.
	Ended string `json:"ended,omitempty"`

	Experiment Identity    `json:"experiment"`
	Parameters []Parameter `json:"parameters"`

	IOPS         float64 `json:"iops"`            // SCSI commands completed per second, counted at the driver boundary
	ThroughputMB float64 `json:"throughput_mb_s"` // 10^6 bytes per second, of the same commands
	Operations   Counts  `json:"operations"`      // the workload's own counts, such as FFSB transactions

	Bound     *Bound     `json:"bound"`     // nil where nothing ran
	Occupancy *Occupancy `json:"occupancy"` // nil where nobody counted

	// QueueDepth is what TASK SET FULL did; nil where nothing was asked for that could
	// say it.
	QueueDepth *QueueDepth `json:"queue_depth,omitempty"`

	Commands Commands `json:"commands"`
	Latency  Latency  `json:"latency_us"`
	CPU      CPU      `json:"cpu"`
	Counters Counters `json:"counters"`
	Locks    []Lock   `json:"locks"`
	Fairness Fairness `json:"fairness"`
	// Lines are the cache lines that cores waited for most; none on this computer,
	// which does not tell.
	Lines    []Line `json:"lines"`
	Profiles Paths  `json:"profiles"`

	Published *Comparison `json:"published"` // nil where nothing published compares
	Warnings  []string    `json:"warnings"`

	Live *Live `json:"live,omitempty"` // of a run on this computer

	Native     []byte   `json:"-"` // the results as the workload's own program prints them
	Title      string   `json:"-"` // one line on what the experiment is
	NotGiven   []string `json:"-"` // values that the source does not state, ours to choose
	Extra      []string `json:"-"` // further lines for the text report, such as a derivation
	EventCount int64    `json:"-"` // simulation events of the whole run; 0 on the live machine
}

// Identity says what was run.
type Identity struct {
	Name     string  `json:"name"`
	Strategy string  `json:"strategy"`
	Driver   string  `json:"driver"`
	Workload string  `json:"workload"`
	Machine  string  `json:"machine"` // live or sim
	Cores    int     `json:"cores"`
	Threads  int     `json:"threads"`
	Duration float64 `json:"duration_s"` // seconds measured, virtual in sim
	Warmup   float64 `json:"warmup_s"`   // seconds left out before them
	Seed     uint64  `json:"seed"`
}

// Commands is the ledger at the driver boundary, from submit to completion.
type Commands struct {
	Issued    int64 `json:"issued"`    // handed to the path by the workload
	Completed int64 `json:"completed"` // came back, whatever their outcome
	Failed    int64 `json:"failed"`    // came back with an error
	Requeued  int64 `json:"requeued"`  // times that one was put back and tried again
	Lost      int64 `json:"lost"`      // never came back, or came back twice: always a fault
}

// QueueDepth is what became of the devices' queue depths.
type QueueDepth struct {
	Full       int64 `json:"task_set_full"` // answers of a queue limit, in the window
	Configured int   `json:"configured"`
	Least      int   `json:"least"` // of all devices, at the end of the run
	Most       int   `json:"most"`
}

// CPU is what the cores did.
type CPU struct {
	// Busy is the share of cores x time that was not idle, in percent.
	Busy float64 `json:"busy_pct"`
	// HostLock is the share of busy time spent spinning on class host_lock,
	// in percent, read back from the pprof profile. It is the published figure.
	HostLock float64 `json:"host_lock_pct"`
	// HostLockByFunction is the same, by the nearest of the four paths.
	HostLockByFunction Shares `json:"host_lock_by_function_pct"`
	// Contention is the share of busy time lost to another core's use of the
	// same thing: spinning on any lock, retries, waiting for a cache line.
	Contention float64 `json:"contention_pct"`
	// ContentionByClass is the same, by class of lock; all lines are one class.
	ContentionByClass Shares `json:"contention_by_class_pct"`
	// Budget is everything that the cores did, idle included, over
	// cores x time: rows that add up to 100.
	Budget Shares `json:"budget_pct"`
}

// Counters are shares of busy time from the locks' own clocks, in percent: a
// second opinion on what the profile says.
type Counters struct {
	HostLock   float64 `json:"host_lock_pct"`
	Contention float64 `json:"contention_pct"`
}

// How says how the figures of r came about: simulated or measured.
func (r *Result) How() string {
	if r.Experiment.Machine == "live" {
		return "measured"
	}
	return "simulated"
}
