package derive

import (
	"fmt"

	"hostlock/machine/computer"
	"hostlock/results"
)

// What a computer that nobody else uses is expected to show, in percent: a
// verdict of the pairs, and never a test.
const (
	expectBeforeLow, expectBeforeHigh = 20, 28
	expectAfterBelow                  = 4
)

// Tables are the pairs for people: published, derived by simulation, and
// measured here, run by run and in medians, with a verdict.
func (p *Pairs) Tables() []results.Table {
	runs := results.Table{
		Title: fmt.Sprintf("this computer, %d cores: %s", p.Cores, results.MechanismNote),
		Head:  []string{"pair", p.Before + ", host lock %", p.After + ", host lock %", "gain of I/O per second, %", "by the locks' clocks, %", "others' CPU"},
		Align: "lrrrrr",
	}
	share := func(r *results.Result) string {
		if r == nil {
			return ""
		}
		text := r.Live.WithError(r.CPU.HostLock)
		if r.Partial {
			text += " partial"
		}
		return text
	}
	for i, r := range p.Runs {
		gain, clocks, others := "", results.Number(r.Before.Counters.HostLock), results.Number(r.Before.Live.Neighbours)
		if r.After != nil {
			gain = results.Number(100 * (r.After.IOPS/r.Before.IOPS - 1))
			clocks += ", " + results.Number(r.After.Counters.HostLock)
			others += ", " + results.Number(r.After.Live.Neighbours)
		}
		runs.Rows = append(runs.Rows, []string{fmt.Sprint(i + 1), share(r.Before), share(r.After), gain, clocks, others})
	}
	t := p.Derivation.Targets
	row := func(name string, v Targets) {
		runs.Rows = append(runs.Rows, []string{name, results.Number(v.Before), results.Number(v.After), results.Number(v.Gain), "", ""})
	}
	m, err := p.Medians()
	if err == nil {
		row("median", m)
	}
	row("simulated on as many cores", p.Derivation.Simulated)
	row("published, 64 cores", t)
	runs.Lines = p.verdict(m, err)
	return []results.Table{runs, {Title: "where this load comes from", Lines: p.Derivation.Lines()}}
}

func (p *Pairs) verdict(m Targets, err error) []string {
	lines := []string{"host lock: share of busy CPU time, from genuine CPU profiles, with one standard error of sampling"}
	if err != nil {
		return append(lines, "PARTIAL: interrupted; "+err.Error())
	}
	word := "as derived"
	if m.Before < expectBeforeLow || m.Before > expectBeforeHigh || m.After >= expectAfterBelow || m.Gain <= 0 {
		word = "NOT as derived"
	}
	lines = append(lines, fmt.Sprintf("%s: %.1f %% before (expected %d to %d), %.1f %% after (below %d), %+.1f %% I/O per second (above 0)",
		word, m.Before, expectBeforeLow, expectBeforeHigh, m.After, expectAfterBelow, m.Gain))
	switch n := p.Neighbours(); {
	case n > computer.DisturbedLimit:
		lines = append(lines, fmt.Sprintf("DISTURBED: other processes took up to %.2f CPU: above %.2f no figure of such a run can be trusted, and so not this verdict; measure again on a quiet computer", n, computer.DisturbedLimit))
	case n > computer.NeighbourLimit:
		lines = append(lines, fmt.Sprintf("other processes took up to %.2f CPU: above %.2f these figures are doubtful; measure again on a quiet computer", n, computer.NeighbourLimit))
	}
	if p.Partial {
		lines = append(lines, "PARTIAL: interrupted; what was measured until then")
	}
	return lines
}
