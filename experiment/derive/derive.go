// Package derive works out the load of a run on this computer: what a few cores
// must do so that the published shares show on them, by theory first, then by
// simulation. It compares such runs, in pairs and beside the simulated machine.
package derive

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/machine/theory"
	"hostlock/results"
)

const (
	// realWork is the least processor time that one I/O takes on this computer: some
	// 50 times what the Go runtime itself spends on one, and short enough for
	// tens of thousands of I/Os in a measured window.
	realWork = 240 * time.Microsecond
	// deriveFor is the virtual window of one simulation of the derivation, times
	// cores: some 25,000 I/Os, for which the share's standard error is about 0.2
	// points.
	deriveFor = 8 * time.Second
)

// Targets are what a live load is derived to show, in percent: the host-lock
// share before and after the change, and the gain of I/O per second. After and
// Gain may be 0: then only Before is met, and the other two stay as they were
// derived from the published table.
type Targets struct{ Before, After, Gain float64 }

// Derivation is the load at which the two strategies of a published table
// show its shares on a number of cores, and how it was found.
type Derivation struct {
	Cores   int
	Targets Targets
	Source  string  // of the targets
	Scale   float64 // Work over the processor time of an I/O at the published rate on as many cores

	// Mean processor time of one I/O, without waiting, and its parts: one of
	// the four sections under the lock, queuecommand, and the rest.
	Work, Section, QueueCommand, Outside time.Duration
	Latency                              time.Duration // of the device

	// HoldBefore and HoldAfter are the closed form's hold over think.
	HoldBefore, HoldAfter float64
	// Simulated is what the simulator gives with these values.
	Simulated Targets
	Rounds    int
	Costs     []param.Setting // the simulator's, where they were measured

	before, after string // strategies
}

// Derivable reports whether the load of an experiment can be derived for this
// computer: whether there is a published share to aim at.
func Derivable(s *spec.Spec) bool {
	table, _, _ := experiment.LiveTable(s)
	return table != nil
}

// derivableOn says why no load can be derived for so many cores. Its error is
// a [spec.UsageError].
func derivableOn(s *spec.Spec, cores int) error {
	switch {
	case !Derivable(s):
		return spec.Usagef("experiment %s has no published host-lock share before and after to derive a load from", s.Name)
	case cores < 2:
		return spec.Usagef("on %s nobody spins, and no load shows a host-lock share; legal: 2 cores or more, --machine sim, or --set live.derive=false", results.Count(cores, "core"))
	}
	return nil
}

// Derive finds the load at which the experiment's strategies show its
// published shares on a number of cores: by the closed form first, and then by
// simulation with the given costs, nil for the default ones. One call takes a
// second or two. The error is a [spec.UsageError] where the experiment has no such
// table.
func Derive(ctx context.Context, e *spec.Spec, cores int, costs []param.Setting) (*Derivation, error) {
	if err := derivableOn(e, cores); err != nil {
		return nil, err
	}
	table, before, after := experiment.LiveTable(e)
	figure := func(c spec.Case, metric string) float64 {
		f, _ := table.Figure(c.Name + "." + metric)
		return f.Value
	}
	d := &Derivation{
		Cores: cores, Costs: costs, Source: table.Source(),
		Targets: Targets{
			Before: figure(before, "host_lock_pct"), After: figure(after, "host_lock_pct"),
			Gain: 100 * (figure(after, "iops")/figure(before, "iops") - 1),
		},
		before: cmp.Or(before.Strategy, e.Strategy), after: cmp.Or(after.Strategy, e.Strategy),
	}
	d.HoldBefore = theory.HoldOverThink(cores, d.Targets.Before/100)
	d.HoldAfter = theory.HoldOverThink(cores, d.Targets.After/100)
	// At the published rate the same cores would have this much for one I/O.
	published := float64(cores) * (1 - d.Targets.Before/100) / figure(before, "iops")
	d.Work = max(realWork, time.Duration(published*1e9))
	d.Scale = d.Work.Seconds() / published
	s := solver{d: d, spec: e, threads: float64(e.Threads), before: d.HoldBefore, after: d.HoldAfter}
	// Start: the faster strategy's rate by its share of an otherwise busy
	// machine, the device takes the rest of a thread's round.
	rate := float64(cores) * (1 - d.Targets.Before/100) / d.Work.Seconds() * (1 + d.Targets.Gain/100)
	s.latency = max(s.threads/rate-2*d.Work.Seconds(), 1e-6)
	return d, s.solve(ctx)
}

// At is the same load with the lock held for so much longer or shorter that
// the strategy before shows another share: section and queuecommand grow and
// shrink together, the rest of an I/O's work makes up for it, and the device
// stays as it is.
func (d *Derivation) At(ctx context.Context, e *spec.Spec, share float64) (*Derivation, error) {
	c := *d
	c.Targets = Targets{Before: share}
	ratio := float64(4*d.Section) / float64(4*d.Section+d.QueueCommand)
	c.HoldBefore = theory.HoldOverThink(d.Cores, share/100)
	s := solver{d: &c, spec: e, threads: float64(e.Threads), before: c.HoldBefore, ratio: ratio, latency: d.Latency.Seconds()}
	return &c, s.solve(ctx)
}

// Derived is the load for a plan.
func (d *Derivation) Derived() *experiment.Derived {
	return &experiment.Derived{Settings: d.settings(), Scale: d.Scale, Lines: d.Lines()}
}

// settings are the values that make the load, each with where it comes from.
func (d *Derivation) settings() []param.Setting {
	const by = "derived for this core count from the published shares, see the derivation"
	p := func(name, value, source string) param.Setting {
		return param.Setting{Name: name, Value: value, Source: source}
	}
	ns := func(t time.Duration) string { return fmt.Sprintf("%dns", t.Nanoseconds()) }
	quarter := d.Outside / 4
	return []param.Setting{
		p("midlayer.section", ns(d.Section), by),
		p("mptsas.queuecommand", ns(d.QueueCommand), by),
		p("mptsas.queuecommand_cv", "1", "a choice: as random as exponential times; fixed ones resonate"),
		p("fs.cpu", ns(d.Outside-2*quarter), by+"; half of the work outside the lock"),
		p("midlayer.softirq_done", ns(quarter), by+"; a quarter of it"),
		p("midlayer.io_completion", ns(quarter), by+"; a quarter of it"),
		p("mptsas.device_latency", ns(d.Latency), by),
		p("fs.shape", "exponential", "a choice: fixed times resonate on a few cores"),
		p("midlayer.shape", "exponential", "a choice: fixed times resonate on a few cores"),
		p("mptsas.coalesce_time", "0", "a choice: a timer's few microseconds are less than it is late here"),
	}
}

// Lines say, line by line, where the load comes from.
func (d *Derivation) Lines() []string {
	t := d.Targets
	lines := []string{
		results.MechanismNote + fmt.Sprintf(": on %d cores the share is a dial. It hangs on how long the lock is held, and is set here so that the published one comes out", d.Cores),
		fmt.Sprintf("formula, for 2 cores that never idle: share = r^2 / (1 + 2r + 2r^2), r = hold / think; %.1f %% needs r = %.2f, %.1f %% needs r = %.3f",
			t.Before, theory.HoldOverThink(2, t.Before/100), t.After, theory.HoldOverThink(2, t.After/100)),
	}
	if t.After == 0 {
		lines[1] = fmt.Sprintf("formula, for 2 cores that never idle: share = r^2 / (1 + 2r + 2r^2), r = hold / think; %.1f %% needs r = %.2f", t.Before, theory.HoldOverThink(2, t.Before/100))
	}
	if d.Cores != 2 {
		lines = append(lines, fmt.Sprintf("for %d cores the closed loop M/M/1//%d has no such short form; it needs r = %.3f and %.4f", d.Cores, d.Cores, d.HoldBefore, d.HoldAfter))
	}
	costs := "its default costs"
	if d.Costs != nil {
		costs = "this computer's measured costs"
	}
	hold := 4*d.Section + d.QueueCommand
	return append(lines,
		fmt.Sprintf("the simulator at %d cores with %s, %s, moved that to r = %.2f before and %.3f after, where it shows %s",
			d.Cores, costs, results.Count(d.Rounds, "round"), ratio(hold, d.Work), ratio(4*d.Section, d.Work), d.shows()),
		fmt.Sprintf("so an I/O of %v of work holds the lock for 4 x %v and for queuecommand's %v, %.0f %% of it; the device takes %v",
			d.Work, d.Section, d.QueueCommand, 100*float64(hold)/float64(d.Work), d.Latency),
		fmt.Sprintf("time scale %.1f: as many cores at the published rate have %v for an I/O; the longer time makes Go's own microseconds small", d.Scale,
			time.Duration(float64(d.Work)/d.Scale).Round(10*time.Nanosecond)),
	)
}

func (d *Derivation) shows() string {
	parts := []string{fmt.Sprintf("%.1f %%", d.Simulated.Before)}
	if d.Targets.After > 0 {
		parts = append(parts, fmt.Sprintf("%.1f %%", d.Simulated.After), fmt.Sprintf("a gain of %.1f %%", d.Simulated.Gain))
	}
	return strings.Join(parts, ", ")
}

func ratio(hold, work time.Duration) float64 { return float64(hold) / float64(work-hold) }
