package experiment

import (
	"fmt"
	"strings"
	"time"

	"hostlock/dispatch/scsi"
	"hostlock/dispatch/tally"
)

// drainFor is a timeout beside which a run's drain is long enough for recovery.
const drainFor = time.Second

// shortRecovery is what to set, so that recovery takes milliseconds.
const shortRecovery = "midlayer.eh_scale=0.001"

// faultsText says what was injected, with the parameters that asked for it; ""
// where nothing was.
func faultsText(sys *system, which func(tally.FaultCount) bool) string {
	var parts []string
	for _, f := range sys.InjectedFaults() {
		if f.Value > 0 && which(f) {
			parts = append(parts, fmt.Sprintf("%s %d (%s)", f.Name, f.Value, f.Param))
		}
	}
	return strings.Join(parts, ", ")
}

func anyFault(tally.FaultCount) bool { return true }

// faultNotes is the line of a result about injected faults; nil where none was.
func faultNotes(sys *system) []string {
	if text := faultsText(sys, anyFault); text != "" {
		return []string{"faults injected in the whole run: " + text}
	}
	return nil
}

// lost says why commands have not come back: who did not answer them, and what
// would look for them.
func (p *Plan) lost(sys *system, c tally.Counts) error {
	text := fmt.Sprintf("%d of %d commands were lost", c.Lost, c.Issued)
	unanswered := faultsText(sys, func(f tally.FaultCount) bool { return f.Unanswered })
	limit := time.Duration(float64(p.params.Duration("midlayer.timeout")) * p.params.Float("midlayer.eh_scale"))
	switch {
	case unanswered == "":
		return fmt.Errorf("%s, or take longer than the %v that a run waits for them at its end", text, drainFor)
	case !p.params.Bool("midlayer.error_handling"):
		return fmt.Errorf("%s: commands were left unanswered on request: %s, and nobody looks for them while midlayer.error_handling is off; set midlayer.error_handling=true, with %s in a short run",
			text, unanswered, shortRecovery)
	case limit > drainFor:
		return fmt.Errorf("%s: they were left unanswered on request: %s, and were still in recovery when the run ended, since a timeout takes %v and the handler's own times come on top; set a smaller midlayer.eh_scale, such as %s",
			text, unanswered, limit, shortRecovery)
	}
	return fmt.Errorf("%s, although the error handler had time for what was left unanswered on request: %s", text, unanswered)
}

// blamed adds to an error about a command which faults were asked for.
func blamed(err error, sys *system) error {
	if _, failed := scsi.ResultOf(err); !failed {
		return err
	}
	if text := faultsText(sys, anyFault); text != "" {
		return fmt.Errorf("%w; faults were injected: %s", err, text)
	}
	return err
}
