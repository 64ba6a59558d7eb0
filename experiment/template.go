package experiment

import (
	"fmt"

	"hostlock/dispatch"
	"hostlock/results"
)

// templateValues adds to what a run says of the parameters host.*, where they
// leave a limit to the driver, which limit that came to.
func templateValues(params []results.Parameter, t *dispatch.HostTemplate) {
	limits := map[string]int{
		"host.can_queue": t.CanQueue, "host.cmd_per_lun": t.QueueDepth, "host.target_can_queue": t.TargetCanQueue,
		"host.sg_tablesize": t.SGTableSize, "host.max_sectors": t.MaxSectors, "host.max_segment_size": t.MaxSegmentSize,
		"host.max_host_blocked": t.MaxHostBlocked,
	}
	choices := map[string]any{
		"host.dma_boundary": t.BoundaryName(), "host.needs_host_lock": t.NeedsHostLock, "host.use_clustering": t.UseClustering,
	}
	for i := range params {
		p := &params[i]
		if n, ok := limits[p.Name]; ok && p.Value == int64(-1) {
			p.Source = fmt.Sprintf("here %d: %s", n, p.Source)
		}
		if v, ok := choices[p.Name]; ok && p.Value == "template" {
			p.Source = fmt.Sprintf("here %v: %s", v, p.Source)
		}
	}
}
