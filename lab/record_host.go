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
	dir := controlGroup("0::", "/sys/fs/cgroup")
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
	h.firstVersion()
	return h
}

// firstVersion reads the quota and the throttling of version 1's CPU tree.
func (h *hostTimes) firstVersion() {
	dir := controlGroup(":cpu,", "/sys/fs/cgroup/cpu")
	if h.quota == nil {
		q, err := fileNumber(filepath.Join(dir, "cpu.cfs_quota_us"))
		period, err2 := fileNumber(filepath.Join(dir, "cpu.cfs_period_us"))
		if err == nil && err2 == nil && q > 0 && period > 0 {
			cpus := q / period
			h.quota = &cpus
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "cpu.stat")); err == nil && h.throttledUs == nil {
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "throttled_time "); ok {
				if ns, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
					us := ns / 1e3
					h.throttledUs = &us
				}
			}
		}
	}
}

func fileNumber(path string) (float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
}

// controlGroup is the directory of this process in the tree whose line in
// /proc/self/cgroup has the mark.
func controlGroup(mark, root string) string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return root
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, ":cpu:"); i >= 0 && mark != "0::" {
			return filepath.Join(root, line[i+len(":cpu:"):])
		}
		if i := strings.Index(line, mark); i >= 0 {
			return filepath.Join(root, line[strings.LastIndexByte(line, ':')+1:])
		}
	}
	return root
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
