package experiment

import (
	"context"
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/results"
	"hostlock/workload"
)

// nothingMeasured is an error where the workload came to its end before the
// window began: there is no rate, and not one of 0.
func nothingMeasured(acct *machine.Account, sys *dispatch.System, load workload.Run) error {
	err := load.Err()
	if !acct.Cut || acct.Window > 0 || err == nil {
		return nil
	}
	return fmt.Errorf("nothing was measured: the workload ended in the warm-up: %w", blamed(err, sys))
}

// cutShort marks a result whose window ended before its time, and says why where
// it was the workload that ended.
func (p *planned) cutShort(ctx context.Context, r *results.Result, acct *machine.Account, load workload.Run) {
	if r == nil {
		return
	}
	r.Partial = acct.Cut || ctx.Err() != nil
	if err := load.Err(); err != nil && acct.Cut {
		r.Ended = fmt.Sprintf("the workload ended after %v of the %v to be measured: %v",
			acct.Window.Round(time.Microsecond), p.duration, err)
		r.Warnings = append(r.Warnings, r.Ended)
	}
}
