package results

// Lock has lock_stat's columns for one class of lock.
type Lock struct {
	Class        string `json:"class"`
	Acquisitions int64  `json:"acquisitions"`
	Contentions  int64  `json:"contentions"` // acquisitions that had to wait
	ConBounces   int64  `json:"con_bounces"` // contentions where the lock was last held on another core
	AcqBounces   int64  `json:"acq_bounces"` // acquisitions where it was
	Wait         Times  `json:"wait_ns"`     // from contended to acquired
	Hold         Times  `json:"hold_ns"`     // from acquired to released

	HoldSampled bool    `json:"-"` // Hold comes from some of the acquisitions
	Waiters     []Point `json:"-"` // where threads waited, most often first
	Holders     []Point `json:"-"` // where the lock was held
}

// Times are nanoseconds as lock_stat sums them up: Min is the shortest that
// is not zero.
type Times struct {
	Min   int64 `json:"min"`
	Max   int64 `json:"max"`
	Total int64 `json:"total"`
	Avg   int64 `json:"avg"`
}

// Point is a place of the path that took a lock.
type Point struct {
	Section string
	Count   int64
}
