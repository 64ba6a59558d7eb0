package results

import "hostlock/machine/param"

// SweepSchema is the version of a sweep's JSON object; it grows as [Schema]
// does.
const SweepSchema = 1

// Sweep is what a sweep found: its definition, and one point for each run that
// is done. Its JSON is what `lab sweep --format json` prints, what --resume
// continues and what `lab merge` puts together.
type Sweep struct {
	Schema int `json:"schema"`
	// Partial: interrupted, or a run failed; points are missing.
	Partial bool `json:"partial"`
	// Missing is how many points the sweep, or this shard of it, still wants.
	Missing    int          `json:"missing"`
	Shard      string       `json:"shard,omitempty"` // "2/3": the second of three parts
	Definition SweepDef     `json:"sweep"`
	Points     []SweepPoint `json:"points"` // in the order of the definition

	// WithTheory puts theory beside the figures, where it was asked for.
	WithTheory bool `json:"-"`
}

// SweepDef says what was asked for: everything that a point depends on, or
// that says which points there are.
type SweepDef struct {
	Experiment       string `json:"experiment"`
	ExperimentSHA256 string `json:"experiment_sha256"` // of the file's text
	Title            string `json:"title"`
	Workload         string `json:"workload"`
	WorkloadSHA256   string `json:"workload_sha256"`
	Driver           string `json:"driver"`
	Machine          string `json:"machine"`

	Strategies []string        `json:"strategies"` // the first is what gains are against
	Cores      []int           `json:"cores"`
	Weak       bool            `json:"weak"` // the load grows with the cores
	Set        []param.Setting `json:"set"`  // the same in all points
	Axes       []SweepAxis     `json:"axes"`
	Seeds      []uint64        `json:"seeds"`

	// Duration and Warmup are virtual seconds; 0: chosen by the cores, see
	// [SweepPoint].
	Duration float64 `json:"duration_s"`
	Warmup   float64 `json:"warmup_s"`
}

// SweepAxis is a parameter that varies.
type SweepAxis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// SweepPoint is one run.
type SweepPoint struct {
	Key      string          `json:"key"` // of everything that the figures depend on
	Strategy string          `json:"strategy"`
	Cores    int             `json:"cores"`
	HBAs     int             `json:"hbas"`
	Threads  int             `json:"threads"`
	Set      []param.Setting `json:"set"` // a value for each axis
	Seed     uint64          `json:"seed"`
	Duration float64         `json:"duration_s"`
	Warmup   float64         `json:"warmup_s"`

	IOPS         float64 `json:"iops"` // SCSI commands per second
	ThroughputMB float64 `json:"throughput_mb_s"`
	Busy         float64 `json:"busy_pct"`       // of cores x time
	HostLock     float64 `json:"host_lock_pct"`  // of busy time
	Contention   float64 `json:"contention_pct"` // of busy time
	LatencyP50   float64 `json:"latency_p50_us"`
	LatencyP99   float64 `json:"latency_p99_us"`

	// Bound is what bounds the point; nil in what earlier programs wrote.
	Bound *Bound `json:"bound,omitempty"`

	// Gain is that of IOPS against the sweep's first strategy, all else equal,
	// in percent; nil where that point is not there.
	Gain *float64 `json:"gain_pct"`
	// Theory is nil where none applies.
	Theory *SweepTheory `json:"theory"`
}

// SweepTheory is what the published chain of a lock gives for a point: n cores
// that pass one lock, thinking in between.
type SweepTheory struct {
	Lock    string  `json:"lock"` // ticket or scalable: which of the published chains
	Cores   float64 `json:"cores_per_lock"`
	Section float64 `json:"section_us"` // mean length of a section, without hand-off
	Think   float64 `json:"think_us"`   // a core's mean time between two sections
	Refill  float64 `json:"refill_ns"`  // cost of a hand-off for each two waiters
	// Contention is the host-lock share that follows, in percent of busy time.
	Contention float64 `json:"host_lock_pct"`
	IOPS       float64 `json:"iops"`
}

// Value is the point's value on an axis; "" where it has none of that name.
func (p *SweepPoint) Value(axis string) string {
	for _, s := range p.Set {
		if s.Name == axis {
			return s.Value
		}
	}
	return ""
}

// combination names what two points of different strategies have in common
// that are compared, or, without the seed, two that differ in their seed.
func (p *SweepPoint) combination(seed bool) string {
	s := "cores=" + itoa(p.Cores)
	for _, kv := range p.Set {
		s += "\x00" + kv.Name + "=" + kv.Value
	}
	if seed {
		s += "\x00seed=" + utoa(p.Seed)
	}
	return s
}

// SetGains works out every point's gain from the points that are there, and
// from figures as they are written, so that a sweep that was read again has
// the same.
func (s *Sweep) SetGains() {
	if len(s.Definition.Strategies) == 0 {
		return
	}
	base := map[string]float64{}
	for i := range s.Points {
		if p := &s.Points[i]; p.Strategy == s.Definition.Strategies[0] {
			base[p.combination(true)] = round(p.IOPS, rateDecimals)
		}
	}
	for i := range s.Points {
		p := &s.Points[i]
		p.Gain = nil
		if b := base[p.combination(true)]; b > 0 {
			gain := 100 * (round(p.IOPS, rateDecimals)/b - 1)
			p.Gain = &gain
		}
	}
}

// rounded is a copy as it is written.
func (s *Sweep) rounded() *Sweep {
	c := *s
	c.Schema = SweepSchema
	c.Definition.Set = append([]param.Setting{}, s.Definition.Set...)
	c.Definition.Axes = append([]SweepAxis{}, s.Definition.Axes...)
	c.Points = append([]SweepPoint{}, s.Points...)
	for i := range c.Points {
		p := &c.Points[i]
		p.Set = append([]param.Setting{}, p.Set...)
		p.Duration = round(p.Duration, secondsDecimals)
		p.Warmup = round(p.Warmup, secondsDecimals)
		p.IOPS = round(p.IOPS, rateDecimals)
		p.ThroughputMB = round(p.ThroughputMB, rateDecimals)
		p.LatencyP50 = round(p.LatencyP50, usDecimals)
		p.LatencyP99 = round(p.LatencyP99, usDecimals)
		for _, pct := range []*float64{&p.Busy, &p.HostLock, &p.Contention} {
			*pct = round(*pct, pctDecimals)
		}
		p.Bound = p.Bound.rounded()
		if p.Gain != nil {
			g := round(*p.Gain, pctDecimals)
			p.Gain = &g
		}
		if p.Theory != nil {
			t := *p.Theory
			for _, v := range []*float64{&t.Cores, &t.Section, &t.Think, &t.Refill, &t.Contention} {
				*v = round(*v, pctDecimals)
			}
			t.IOPS = round(t.IOPS, rateDecimals)
			p.Theory = &t
		}
	}
	return &c
}
