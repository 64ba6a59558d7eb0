package experiment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/dispatch/tally"
	"hostlock/machine/param"
	"hostlock/results"
)

// misfit says that values which the file calls fitted are used with a driver or
// a load that they were not fitted with: what they stand for, and the published
// figures that they meet, do not come along. It is empty for the runs that the
// file itself describes.
func (p *Plan) misfit() []string {
	fitted := p.spec.FittedNames()
	at := p.fittedWith(fitted)
	if len(fitted) == 0 || p.Live() || at == p.spec.Driver && p.caseName() != "" {
		return nil
	}
	var why []string
	if at != p.driver.Name {
		why = append(why, fmt.Sprintf("driver %s, and not %s", at, p.driver.Name))
	}
	if w := p.req.Workload; w != "" && w != p.spec.Workload {
		why = append(why, fmt.Sprintf("workload %s", p.spec.Workload))
	}
	if len(why) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the %s of %s were chosen with %s: here they are numbers like any other, and meet nothing published",
		results.Count(len(fitted), "fitted value"), p.spec.Name, strings.Join(why, ", and with "))}
}

// fittedWith is the driver that fitted values belong to: one whose parameters
// they are and that neither the file nor a case of it runs, as in a copy whose
// driver was changed; else the file's own.
func (p *Plan) fittedWith(fitted []string) string {
	ours := []string{p.spec.Driver}
	for _, c := range p.spec.Cases {
		ours = append(ours, c.Driver)
	}
	for _, name := range fitted {
		driver, _, _ := strings.Cut(name, ".")
		if info, err := dispatch.LookupDriver(driver); err == nil && !slices.Contains(ours, info.Name) {
			return info.Name
		}
	}
	return p.spec.Driver
}

// threadsWin says that the file's number of threads replaces the workload's.
// The shipped experiments do so on purpose.
func (p *Plan) threadsWin() []string {
	s := p.spec
	if s.Threads == 0 || s.Builtin() || p.req.Threads != 0 || p.req.Workload != "" || s.Threads == p.workload.Threads() {
		return nil
	}
	return []string{fmt.Sprintf("%s: threads=%d wins over the workload's own, which is %d", s.At("threads"), s.Threads, p.workload.Threads())}
}

// overLink says that a run moved more than the adapter's link to its devices
// could: where a driver has no model of it, nothing else stops a load of large
// transfers.
func (p *Plan) overLink(r *results.Result) []string {
	most := p.driver.LinkMB
	if each := r.ThroughputMB / float64(max(1, p.load.HBAs)); most > 0 && each > most {
		return []string{fmt.Sprintf("%.0f MB/s an HBA are more than its link carries, which driver %s does not model: %.0f MB/s (%s)", each, p.driver.Name, most, p.driver.LinkSource)}
	}
	return nil
}

// noEffect names the values that the file or the command line gives and that
// another value, or the strategy, makes idle: one line each. A run with such a
// value is a legal one; whoever asked for it should know that it measures
// nothing.
func (p *Plan) noEffect() []string {
	var out []string
	say := func(v param.Value, why string) {
		out = append(out, fmt.Sprintf("%s=%s changes nothing here: %s", v.Name, v.Text, why))
	}
	for _, v := range p.Parameters() {
		if v.Text == v.Default {
			continue
		}
		own, name, _ := strings.Cut(v.Name, ".")
		switch {
		case v.Name == "midlayer.historic_target_bug" && v.Num != 0 && !p.strategy.KeepsStarvedList:
			say(v, "strategy "+p.strategy.Name+" has no starved list that is kept as 2.6.35 did")
		case handlers[v.Name] && !p.params.Bool("midlayer.error_handling"), name == "recovers_by" && !p.params.Bool("midlayer.error_handling"):
			say(v, "no error is handled without midlayer.error_handling=true")
		case own != p.driver.Name:
		case name == "delay_rate" && p.params.Duration(own+".delay") == 0:
			say(v, own+".delay is 0")
		case name == "hang_at" && p.params.Duration(own+".hang_for") == 0:
			say(v, own+".hang_for is 0")
		case name == "hang_for" && p.params.Duration(own+".hang_at") == 0:
			say(v, own+".hang_at is 0, which is never")
		}
	}
	return out
}

// handlers are the parameters that only the error handler reads.
var handlers = map[string]bool{
	"midlayer.eh_scale": true, "midlayer.allow_restart": true, "midlayer.eh_settle": true, "midlayer.eh_probe_timeout": true,
}

// templateValues adds to what a run says of the parameters host.*, where they
// leave a limit to the driver, which limit that came to.
func templateValues(params []results.Parameter, t *dispatch.HostTemplate) {
	came := map[string]any{
		"host.can_queue": t.CanQueue, "host.cmd_per_lun": t.QueueDepth, "host.target_can_queue": t.TargetCanQueue,
		"host.sg_tablesize": t.SGTableSize, "host.max_sectors": t.MaxSectors, "host.max_segment_size": t.MaxSegmentSize,
		"host.max_host_blocked": t.MaxHostBlocked,
		"host.dma_boundary":     t.BoundaryName(), "host.needs_host_lock": t.NeedsHostLock, "host.use_clustering": t.UseClustering,
	}
	for i := range params {
		p := &params[i]
		if v, ok := came[p.Name]; ok && (p.Value == int64(-1) || p.Value == "template") {
			p.Source = fmt.Sprintf("here %v: %s", v, p.Source)
		}
	}
}

// derivedOrigins says of parameters that were derived for this computer that they
// were, unless the user set them.
func (p *Plan) derivedOrigins(params []results.Parameter) {
	if p.req.Derived == nil {
		return
	}
	for _, d := range p.req.Derived.Settings {
		for i := range params {
			if params[i].Name == d.Name && params[i].Origin == "" {
				params[i].Origin = fmt.Sprintf("derived for %s", results.Count(p.id.Cores, "core"))
			}
		}
	}
}

// softLimit says that commands stay smaller than host.max_sectors lets them be,
// where that was asked for and the queue's own limit decides.
func (p *Plan) softLimit() []string {
	const own = "block.max_sectors_kb"
	v, ok := p.Param("host.max_sectors")
	if !ok || !v.At.IsValid() || !p.used[own] || v.Num <= float64(2*p.params.Int(own)) {
		return nil
	}
	return []string{fmt.Sprintf("host.max_sectors=%s: requests of a file system or of direct I/O have at most %s=%d all the same, in KiB; sgp_dd's own are not bound by it", v.Text, own, p.params.Int(own))}
}

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
