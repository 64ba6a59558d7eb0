package compare

import "hostlock/results"

// nextBound names what bounds most of the runs; "" where no run says.
func nextBound(runs []*results.Result) string {
	return ""
}
