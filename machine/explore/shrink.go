package explore

// shrinkRuns bounds the schedules that are tried to shorten one, and
// shrinkSteps the operations in all of them.
const (
	shrinkRuns  = 600
	shrinkSteps = 5_000_000
)

// shrink looks for the fewest deviations under which a schedule of the given
// random numbers still fails in the same way: it leaves out halves, quarters
// and so on, down to single ones.
func shrink(ds []deviation, fails func([]deviation) (got []deviation, steps int, ok bool)) []deviation {
	runs, steps := 0, 0
	try := func(cand []deviation) bool {
		runs++
		got, n, ok := fails(cand)
		steps += n
		if ok && len(got) < len(ds) {
			ds = got
			return true
		}
		return false
	}
	more := func() bool { return runs < shrinkRuns && steps < shrinkSteps }
	if try(nil) {
		return ds
	}
	for size := max(len(ds)/2, 1); more(); {
		removed := false
		// From the end: what comes late has fewer others built on it.
		for at := len(ds) - size; at > -size && more(); at -= size {
			lo := max(at, 0)
			hi := min(at+size, len(ds))
			if hi <= lo {
				continue
			}
			cand := append(append([]deviation{}, ds[:lo]...), ds[hi:]...)
			if try(cand) {
				removed = true
			}
		}
		if size == 1 {
			if !removed {
				break
			}
			continue
		}
		size = max(size/2, 1)
	}
	return ds
}
