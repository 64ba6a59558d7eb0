package experiment

import (
	"hostlock/experiment/spec"
)

// What the parts of a run take of memory, in bytes, rounded up: measured as the
// resident size of a process with 65,536 threads, and with 8,192 LUNs under
// ring, the largest of the strategies.
const (
	perThread = 6 << 10
	perLUN    = 40 << 10
	// perSlot is a slot of a device's depth: a cell in each of two rings of twice
	// the depth, as ring has them.
	perSlot = 2 * 2 * 32
	// maxMemory bounds what a run may take before it has begun.
	maxMemory = 2 << 30
)

// tooLarge refuses, before anything is made, a load that would take more memory
// than a run should; nil where it does not.
func (p *Plan) tooLarge() error {
	luns := float64(p.load.HBAs) * float64(p.load.LUNsPerHBA)
	depth := 0.0
	if v, ok := p.Param("host.cmd_per_lun"); ok {
		depth = ownLimit(p.driver.Template, v)
	}
	threads, devices, slots := perThread*float64(max(p.load.Threads, p.workload.Threads())), perLUN*luns, perSlot*luns*max(depth, 0)
	all := threads + devices + slots
	if all <= maxMemory {
		return nil
	}
	what, legal := "threads", int64((maxMemory-min(devices+slots, maxMemory-perThread))/perThread)
	switch max(threads, devices, slots) {
	case devices:
		what, legal = "LUNs in all", int64(maxMemory/2/perLUN)
	case slots:
		what, legal = "host.cmd_per_lun", int64(maxMemory/2/perSlot/luns)
	}
	return spec.Usagef("%d threads, %.0f LUNs and a depth of %.0f would take about %.1f GiB of memory, and a run may take %d; legal: %s up to about %d",
		max(p.load.Threads, p.workload.Threads()), luns, depth, all/(1<<30), maxMemory>>30, what, legal)
}
