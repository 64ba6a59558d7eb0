// Package record says what a Go program's own locks do: how long they are held,
// who waits for them and what a hold is made of. Its subpackages make the build
// overlay (overlay), are injected (rt), read the mapped file (read), run the
// user's command (launch), and read other tools' data on locks (imports).
package record

// Record is the result of `lab record`, as its JSON has it. Times are
// nanoseconds; what was not measured is null or left out.
type Record struct {
	Schema      int       `json:"schema"`
	Partial     bool      `json:"partial"`
	Command     string    `json:"command"`
	Source      string    `json:"source"` // "recorded", or the kind of file that was imported
	Go          string    `json:"go,omitempty"`
	Procs       int       `json:"procs"`
	Seconds     float64   `json:"seconds"`
	CPUSeconds  float64   `json:"cpu_s"`
	Processes   int       `json:"processes"`
	Sampling    Sampling  `json:"sampling"`
	OverheadPct *float64  `json:"overhead_pct"`
	OverheadHow string    `json:"overhead_how,omitempty"` // "measured" or "estimated"
	Frame       Frame     `json:"frame"`
	Locks       []Lock    `json:"locks"`
	Stretch     []Stretch `json:"stretch"`
	Unknown     []string  `json:"unknown"`
	Warnings    []string  `json:"warnings"`
	Words       string    `json:"words"`
}

// Sampling says how much of it was timed. Acquisitions and contended waits are
// all counted; holds are sampled.
type Sampling struct {
	Samples   uint64  `json:"samples"`
	CountNs   float64 `json:"count_ns"`  // what counting an acquisition costs, measured in that process
	SampleNs  float64 `json:"sample_ns"` // what timing one costs
	ClockNs   float64 `json:"clock_ns"`  // between two readings, taken off every hold
	Dropped   uint64  `json:"dropped"`
	Stale     uint64  `json:"stale"`
	Unplaced  uint64  `json:"unplaced"`
	LostSites uint64  `json:"lost_acquisitions"`
}

// Frame is what surrounds the locks.
type Frame struct {
	BusyPct         *float64 `json:"busy_pct"` // CPU time over GOMAXPROCS times seconds
	GCPct           *float64 `json:"gc_pct"`   // of CPU time, by the runtime's own estimate
	GCCycles        uint64   `json:"gc_cycles"`
	MutexWaitS      *float64 `json:"mutex_wait_s"` // /sync/mutex/wait/total:seconds
	Goroutines      int      `json:"goroutines"`   // at the end
	InvoluntaryRate *float64 `json:"involuntary_switches_per_s"`
	QuotaCPUs       *float64 `json:"quota_cpus"`
	ThrottledPct    *float64 `json:"throttled_pct"` // of wall time
	StealPct        *float64 `json:"steal_pct"`     // of the computer's CPU time
}

// Times is a distribution.
type Times struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Lock is one site: a call that takes locks.
type Lock struct {
	Site         string `json:"site"` // function file:line
	Function     string `json:"function"`
	File         string `json:"file"`
	Line         int    `json:"line"`
	Via          string `json:"via,omitempty"` // the function of package sync between
	Kind         string `json:"kind"`          // mutex or rwmutex
	Reads        bool   `json:"reads"`         // a site that takes an rwmutex for reading
	Lock         string `json:"lock"`          // the site that leads those which take the same locks
	Harness      bool   `json:"harness"`       // package testing's own, held while a benchmark runs
	Instances    int    `json:"instances"`     // seen in samples: at least
	Acquisitions uint64 `json:"acquisitions"`
	Contended    uint64 `json:"contended"`
	ReadAcq      uint64 `json:"read_acquisitions"`
	TryFailed    uint64 `json:"try_failed"`
	Foreign      uint64 `json:"released_by_another"` // estimated, by goroutine

	Hold                  *Times             `json:"hold_ns"`
	HoldErrorPct          *float64           `json:"hold_error_pct"` // standard error of the mean, as holds are sampled
	Wait                  *Times             `json:"wait_ns"`        // of contended acquisitions
	HoldTotalNs           float64            `json:"hold_total_ns"`
	WaitTotalNs           float64            `json:"wait_total_ns"`
	WaitBlockedNs         float64            `json:"wait_blocked_ns"`  // of it, parked
	WaitRunnableNs        float64            `json:"wait_runnable_ns"` // of it, ready and without a processor
	HottestUtilizationPct *float64           `json:"hottest_utilization_pct"`
	HottestAtLeast        bool               `json:"hottest_at_least"`       // too few samples of each lock: it is no less
	HottestSharePct       *float64           `json:"hottest_share_pct"`      // of the lock's acquisitions
	MedianUtilizationPct  *float64           `json:"median_utilization_pct"` // over the instances seen
	HoldSplitPct          map[string]float64 `json:"hold_split_pct"`
	ParkedPct             map[string]float64 `json:"parked_pct"` // io, syscall, sleep, channel, other: of the hold
	HoldSameP             *float64           `json:"hold_same_p_ns"`
	HoldOtherP            *float64           `json:"hold_other_p_ns"`
	ReadWindowHold        *float64           `json:"read_window_hold_ns"` // mean, from spans in which every reader was timed
	Goroutines            int                `json:"goroutines_estimate"`
	Nested                []Nested           `json:"waits_inside_for"`
	Notes                 []string           `json:"notes"`

	Frames []Place `json:"frames"`
	sums   *sums
}

// Place is one line of a stack, innermost first.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Nested is a lock for which holders of this one waited.
type Nested struct {
	Site    string  `json:"site"`
	HoldPct float64 `json:"hold_pct"`
}

// Stretch is what became of the rate when a hold was lengthened.
type Stretch struct {
	Site         string  `json:"site"`
	Factor       float64 `json:"factor"`
	RateRatio    float64 `json:"rate_ratio"`    // to the runs at factor 1
	ControlRatio float64 `json:"control_ratio"` // with the same time spent outside the hold
	Low          float64 `json:"low"`           // least and greatest ratio of a round
	High         float64 `json:"high"`
	ControlLow   float64 `json:"control_low"`
	ControlHigh  float64 `json:"control_high"`
	ContendedPct float64 `json:"contended_pct"` // of the site's acquisitions at factor 1
	AddedPct     float64 `json:"added_pct"`     // what the longer holds add, over the time that the command took
	HoldNs       float64 `json:"hold_ns"`
	Rounds       int     `json:"rounds"`
	Progress     string  `json:"progress"`
}
