package experiment

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/dispatch"
	"hostlock/results"
)

// misfit says that values which the file calls fitted are used with a driver or
// a load that they were not fitted with: what they stand for, and the published
// figures that they meet, do not come along. It is empty for the runs that the
// file itself describes.
func (p *planned) misfit() []string {
	fitted := p.spec.FittedNames()
	at := p.fittedWith(fitted)
	if len(fitted) == 0 || p.machineName != "sim" || at == p.spec.Driver && p.caseName() != "" {
		return nil
	}
	var why []string
	if at != p.driver.Name {
		why = append(why, fmt.Sprintf("driver %s, and not %s", at, p.driver.Name))
	}
	if o := p.opts.Workload; o != "" && o != p.spec.Workload {
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
func (p *planned) fittedWith(fitted []string) string {
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
func (p *planned) threadsWin() []string {
	s := p.spec
	if s.Threads == 0 || s.Builtin() || p.opts.Threads != 0 || p.opts.Workload != "" || s.Threads == p.workload.Threads() {
		return nil
	}
	return []string{fmt.Sprintf("%s: threads=%d wins over the workload's own, which is %d", s.Pos("threads"), s.Threads, p.workload.Threads())}
}

// overLink says that a run moved more than the adapter's link to its devices
// could: where a driver has no model of it, nothing else stops a load of large
// transfers.
func (p *planned) overLink(r *results.Result) []string {
	most := p.driver.LinkMB
	if each := r.ThroughputMB / float64(max(1, p.load.HBAs)); most > 0 && each > most {
		return []string{fmt.Sprintf("%.0f MB/s an HBA are more than its link carries, which driver %s does not model: %.0f MB/s (%s)", each, p.driver.Name, most, p.driver.LinkSource)}
	}
	return nil
}
