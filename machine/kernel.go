package machine

import (
	"strconv"
	"strings"
)

// AnyClass stands, where lock kinds are given by class, for every class that is not
// there.
const AnyClass = ""

// KernelKind is the algorithm of spinlocks in a version of Linux on x86: ticket
// locks from 2.6.25 to 4.1, queued ones from 4.2. What is no version counts as an
// old one.
func KernelKind(version string) Kind {
	var at [2]int
	for i, part := range strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3) {
		if i == len(at) {
			break
		}
		part, _, _ = strings.Cut(part, "-") // 4.2-rc1
		n, err := strconv.Atoi(part)
		if err != nil {
			return Ticket
		}
		at[i] = n
	}
	if at[0] > 4 || at[0] == 4 && at[1] >= 2 {
		return Queued
	}
	return Ticket
}
