package predict

// Prediction is the result of `lab predict`, as its JSON has it.
type Prediction struct {
	Lock  string `json:"lock"`
	Kind  string `json:"kind"`
	Today Today  `json:"today"`
	// Bound is what one lock instance can do at most: 1/(hold + hand-off). It needs
	// no fit.
	Bound     Bound   `json:"bound"`
	SelfCheck []Check `json:"self_check"`
	// BoundsOnly says that the self-check failed, or that nothing could be checked.
	BoundsOnly  bool    `json:"bounds_only"`
	Predictions []Row   `json:"predictions"`
	Unknown     []Cause `json:"causes"`
	// Words of what the record leaves open, widest first.
	UnknownWords     []string `json:"unknown"`
	ValidatedToCores int      `json:"validated_to_cores"`
	Open             bool     `json:"open"` // the processors are not busy: the answer is in load
	Words            string   `json:"words"`
}

// Today is what the record says.
type Today struct {
	Cores              int     `json:"cores"`
	OpsPerS            float64 `json:"ops_per_s"` // acquisitions
	HottestUtilization float64 `json:"hottest_utilization_pct"`
	HoldNs             float64 `json:"hold_ns"`
	ThinkNs            float64 `json:"think_ns"` // processor time between two acquisitions
	BusyPct            float64 `json:"busy_pct"`
	Instances          int     `json:"instances"`
	HottestShare       float64 `json:"hottest_share_pct"`
	Goroutines         int     `json:"goroutines"`
}

// Bound is a limit on acquisitions a second.
type Bound struct {
	PerS      float64 `json:"ops_per_s"`
	HoldNs    float64 `json:"hold_ns"`
	HandOffNs float64 `json:"hand_off_ns"`
	// Times is how many times today's rate that is.
	Times float64 `json:"times_today"`
}

// Check is one figure that the record has and the model was not fitted to.
type Check struct {
	Figure    string  `json:"figure"`
	Recorded  float64 `json:"recorded"`
	Predicted float64 `json:"predicted"`
	Unit      string  `json:"unit"`
	OK        bool    `json:"ok"`
}

// Row is one prediction.
type Row struct {
	Design string `json:"design"`
	Kind   string `json:"kind"`
	Cores  int    `json:"cores"`
	Range  Range  `json:"ops_per_s"`
	// None says why there is no prediction; "" is that there is one.
	None               string  `json:"no_prediction,omitempty"`
	HottestUtilization float64 `json:"hottest_utilization_pct"`
}

// Range is a prediction, and what the record leaves open around it.
type Range struct {
	Low  float64 `json:"low"`
	Mid  float64 `json:"mid"`
	High float64 `json:"high"`
}

// Cause is what a record leaves open, and how wide it makes the widest range.
type Cause struct {
	Name    string  `json:"name"`
	Low     float64 `json:"low"` // times the mid
	High    float64 `json:"high"`
	Measure string  `json:"measure"` // what would narrow it
}
