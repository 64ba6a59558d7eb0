package results

// Comparison is one run beside what was published.
type Comparison struct {
	Source string `json:"source"`
	OK     bool   `json:"ok"` // every row lies within its band
	Rows   []Row  `json:"rows"`

	table *Published // that the rows are of; nil where the comparison was read from a file
}

// Row is one published figure and its measured counterpart.
type Row struct {
	Name      string  `json:"name"`      // case, dot, figure with its unit: "before.scsi_dispatch_cmd_pct"
	Published float64 `json:"published"` // in the unit that the name ends in
	Measured  float64 `json:"measured"`  // in the same
	ErrorPct  float64 `json:"error_pct"` // of the published figure, signed
	Band      float64 `json:"band"`      // how far measured may lie from published, in the row's unit
	UsedToFit bool    `json:"used_to_fit"`
}

// Within reports whether the row meets its band.
func (r Row) Within() bool {
	d := r.Measured - r.Published
	// A hair of slack, so that a band's own edge is inside whatever the
	// rounding of a binary fraction.
	return d <= r.Band*(1+1e-9) && -d <= r.Band*(1+1e-9)
}

// Reproduction is one experiment's published table beside what the runs of
// its cases gave; its JSON is an element of `lab reproduce --format json`.
type Reproduction struct {
	Name   string   `json:"name"`
	Source string   `json:"source"`
	OK     bool     `json:"ok"`     // every row lies within its band
	Fitted []string `json:"fitted"` // names of fitted parameters
	Rows   []Row    `json:"rows"`

	Cases []CaseRun `json:"cases,omitempty"` // all runs, where the workload moves transfers

	Partial bool `json:"partial,omitempty"` // interrupted: rows are missing, or a window is shorter

	Parameters []Parameter `json:"-"`
	How        string      `json:"-"` // simulated or measured
	Seed       uint64      `json:"-"`
	Warnings   []string    `json:"-"`
}
