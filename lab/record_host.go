package lab

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hostlock/record"
)

// hostTimes is what Linux says of the computer and of this control group. Where
// it says nothing, as in another system, all is nil.
type hostTimes struct {
	steal, all  *float64 // ticks since boot
	throttledUs *float64
	quota       *float64 // CPUs
}

func readHost() hostTimes {
	var h hostTimes
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		line, _, _ := strings.Cut(string(text), "\n")
		var all float64
		for i, f := range strings.Fields(line) {
			v, err := strconv.ParseFloat(f, 64)
			if i == 0 || err != nil || i > 8 { // guest time is in user time already
				continue
			}
			if all += v; i == 8 {
				steal := v
				h.steal = &steal
			}
		}
		h.all = &all
	}
	dir := controlGroup()
	if text, err := os.ReadFile(filepath.Join(dir, "cpu.max")); err == nil {
		if f := strings.Fields(string(text)); len(f) == 2 {
			q, err := strconv.ParseFloat(f[0], 64)
			period, err2 := strconv.ParseFloat(f[1], 64)
			if err == nil && err2 == nil && period > 0 {
				cpus := q / period
				h.quota = &cpus
			}
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "cpu.stat")); err == nil {
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "throttled_usec "); ok {
				if us, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
					h.throttledUs = &us
				}
			}
		}
	}
	return h
}

// controlGroup is the directory of this process in version 2's one tree.
func controlGroup() string {
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return filepath.Join("/sys/fs/cgroup", path)
		}
	}
	return "/sys/fs/cgroup"
}

// since fills in what happened from h on.
func (h hostTimes) since(f *record.Frame, wall time.Duration) {
	now := readHost()
	f.QuotaCPUs = now.quota
	if h.steal != nil && now.steal != nil && *now.all > *h.all {
		pct := 100 * (*now.steal - *h.steal) / (*now.all - *h.all)
		f.StealPct = &pct
	}
	if h.throttledUs != nil && now.throttledUs != nil && wall > 0 {
		pct := (*now.throttledUs - *h.throttledUs) / float64(wall.Microseconds()) * 100
		f.ThrottledPct = &pct
	}
}
