package experiment

import (
	"fmt"
	"strings"

	"hostlock/dispatch"
	"hostlock/results"
)

// unused names the LUNs that no command ever reached: the load has no files or
// jobs on them, so that the host is smaller than it was described. It is empty
// for a load that issued nothing at all.
func unused(devices []*dispatch.Device) []string {
	var runs [][2]*dispatch.Device // first and last of those side by side
	n := 0
	for _, d := range devices {
		if !d.Unused() {
			continue
		}
		n++
		if k := len(runs) - 1; k >= 0 && runs[k][1].ID == d.ID-1 {
			runs[k][1] = d
			continue
		}
		runs = append(runs, [2]*dispatch.Device{d, d})
	}
	if n == 0 || n == len(devices) {
		return nil
	}
	const most = 4
	var names []string
	for _, r := range runs {
		switch {
		case len(names) == most:
			names = append(names, "and more")
		case len(names) > most:
		case r[0] == r[1]:
			names = append(names, r[0].Name())
		default:
			names = append(names, r[0].Name()+" to "+r[1].Name())
		}
	}
	return []string{fmt.Sprintf("%d of %s idle, since the load has nothing on them: %s; the others carry all of it, each with its own depth and lock",
		n, results.Count(len(devices), "LUN"), strings.Join(names, ", "))}
}
