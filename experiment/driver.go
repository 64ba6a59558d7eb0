package experiment

import (
	"bytes"
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/results"
	"hostlock/workload"
)

// driverSays adds the counts and notes of the drivers, over all hosts, and of
// error handling.
func (p *planned) driverSays(r *results.Result, sys *dispatch.System) {
	for _, c := range sys.DriverCounts() {
		sum, _ := r.Operations.Get(c.Name)
		r.Operations.Set(c.Name, sum+c.Value)
	}
	r.Warnings = append(r.Warnings, sys.DriverNotes()...)
	r.Warnings = append(r.Warnings, faultNotes(sys)...)
	r.Warnings = append(r.Warnings, sys.ErrorCounts().Notes()...)
	if pools, deferred := sys.SGPools(); deferred > 0 {
		reserve := int64(0)
		for _, pool := range pools {
			reserve += pool.FromReserve
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d scatter/gather tables came from the pools' reserve; %d allocations found nothing, and put their request off", reserve, deferred))
	}
}

// native keeps what the workload's own program would print.
func (p *planned) native(r *results.Result, load workload.Run, window time.Duration) {
	var b bytes.Buffer
	if err := load.NativeReport(&b, window); err == nil {
		r.Native = b.Bytes()
	}
}
