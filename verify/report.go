package verify

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/machine/explore"
	"hostlock/program"
	"hostlock/results"
)

// Report is what a verification did, and what it found.
type Report struct {
	Config   Config // with defaults filled in
	Explored explore.Report
	// Turns is how many schedules were run of each scenario, those included
	// that were run again to explain a finding.
	Turns map[string]int
	// Skipped are the scenarios of error handling where the strategy is no
	// dispatch.Recoverer.
	Skipped []string
	// Late is in how many schedules the plug's timers waited until nothing else
	// could happen, and Stalled in how many of those it came to that.
	Late, Stalled int
	stalls        map[string]*stalls // the same by scenario
	Finding       *Finding           // nil where nothing was found
	Partial       bool               // interrupted
	// Alone are the verbs that no two agents were in at the same time, in any
	// schedule, and the limits whose last slot no two asked for at once: what only
	// such a meeting could show was not tried.
	Alone []string
	// Long is the long run; nil where there was none.
	Long *Long
	// Before is what was verified first; nil where nothing was.
	Before *Report
}

// Finding is a schedule under which a strategy breaks its contract.
type Finding struct {
	explore.Failure
	Scenario string
	// Config is what the schedule needs to be replayed: it may be smaller than
	// what was asked for.
	Config Config
}

// Command is the command line that replays the finding.
func (f *Finding) Command() string {
	c := &f.Config
	args := []string{program.Name(), "verify", "--strategy", c.Strategy}
	def, err := Config{Exhaustive: c.Exhaustive}.complete()
	if err != nil {
		panic("verify: " + err.Error())
	}
	num := func(flag string, n, d int) {
		if n != d {
			args = append(args, "--"+flag, fmt.Sprint(n))
		}
	}
	if c.Exhaustive {
		args = append(args, "--exhaustive")
	}
	num("threads", c.Threads, def.Threads)
	num("commands", c.Commands, def.Commands)
	num("luns", c.LUNs, def.LUNs)
	num("can-queue", c.CanQueue, def.CanQueue)
	num("preemptions", c.Preemptions, 0)
	if c.Driver != DriverName {
		args = append(args, "--driver", c.Driver)
	}
	if c.Strict {
		args = append(args, "--strict")
	}
	for _, s := range c.Scenarios {
		args = append(args, "--scenario", s)
	}
	for _, k := range slices.Sorted(maps.Keys(c.Set)) {
		args = append(args, "--set", k+"="+c.Set[k])
	}
	if f.Schedule != "" {
		args = append(args, "--replay", f.Schedule)
	}
	return strings.Join(args, " ")
}

// size is the load in words.
func (c *Config) size() string {
	return fmt.Sprintf("%s of %s, %s, %s", results.Count(c.Threads, "thread"), results.Count(c.Commands, "command"),
		results.Count(c.LUNs, "LUN"), results.Count(c.CanQueue, "host slot"))
}

// chance is what the promise of a single PCT schedule comes to over all that were
// run, for a fault of depth 2: one that every scenario shows, and one that shows
// in the scenario alone that was run least, whose name comes with it. The name is
// "" where nothing is promised. Half of a scenario's schedules are PCT.
func (r *Report) chance() (every, least float64, name string) {
	if r.Config.Exhaustive || r.Explored.Length == 0 {
		return 0, 0, ""
	}
	all, fewest := 0, 0
	for _, s := range scenarios {
		n := r.Turns[s.Name]
		if all += n; n > 0 && (name == "" || n < fewest) {
			fewest, name = n, s.Name
		}
	}
	return r.Explored.Chance(2, all/2), r.Explored.Chance(2, fewest/2), name
}

// Print writes the finding, step by step, and how to replay it: the steps of the
// strategy's own code on what two threads share, or all where full is set.
func (f *Finding) Print(w io.Writer, full bool) error {
	if _, err := fmt.Fprintf(w, "scenario %s, %s\n", f.Scenario, f.Config.size()); err != nil {
		return err
	}
	show := f.shown()
	if full {
		show = nil
	}
	if f.Schedule == "" { // no single schedule shows it
		_, err := fmt.Fprintf(w, "%s: %s\n", f.Kind, f.What)
		return err
	}
	if err := f.Failure.Print(w, show); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "replay: %s\n", f.Command())
	return err
}

// shown picks the steps that tell a finding, on what two agents share: those in the
// strategy's own files; where these hold no racing pair, and there is one in all that
// its verbs do, or one agent alone is seen in its files, all that. nil is every step.
func (f *Finding) shown() func(*explore.Step) bool {
	info, err := dispatch.LookupStrategy(f.Config.Strategy)
	if err != nil {
		return nil
	}
	pkg := explore.PackageOf(info.New)
	own := func(s *explore.Step) bool { return s.Shared && s.Where.In(pkg) }
	verbs := func(s *explore.Step) bool { return s.Shared && s.Verb != "" }
	var two func(*explore.Step) bool
	for _, show := range []func(*explore.Step) bool{own, verbs} {
		steps := f.picked(show)
		if f.Switches > 0 && racingPair(f.Kind, steps) {
			return show
		}
		if two == nil && slices.ContainsFunc(steps, func(s *explore.Step) bool { return s.Agent != steps[0].Agent }) {
			two = show
		}
	}
	return two
}

// picked are the steps of the trace that show picks, all where it is nil.
func (f *Finding) picked(show func(*explore.Step) bool) []*explore.Step {
	var out []*explore.Step
	for i := range f.Trace {
		if s := &f.Trace[i]; show == nil || show(s) {
			out = append(out, s)
		}
	}
	return out
}

// Shown are the steps of a finding that are printed where not all are asked for.
func (f *Finding) Shown() []*explore.Step { return f.picked(f.shown()) }

// Print writes the report for people, the verdict first; a finding's steps all, and
// the run's own figures, where full is set.
func (r *Report) Print(w io.Writer, full bool) error {
	var b strings.Builder
	e, c := &r.Explored, &r.Config
	if r.Before != nil {
		if err := r.Before.Print(w, full); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "strategy %s, driver %s: %s\n", c.Strategy, c.Driver, c.size())
	fmt.Fprintf(&b, "%s in %v, %d operations, the longest %d\n",
		results.Count(e.Schedules, "schedule"), e.Elapsed.Round(time.Millisecond), e.Steps, e.Longest)
	if c.Exhaustive {
		same := ""
		if c.explore().Symmetric {
			same = " (also where threads are exchanged, which all do the same)"
		}
		whole := fmt.Sprintf("not all (%.2g %% of the tree, if all branches were alike)", 100*e.Share)
		if e.Complete {
			whole = "all"
		}
		fmt.Fprintf(&b, "%s orders with at most %s: %d run to their end, %d of them distinct, %d cut as equal to another%s\n",
			whole, results.Count(c.explore().Preemptions, "preemption"), e.Schedules, e.Distinct, e.Cut, same)
	} else {
		fmt.Fprintf(&b, "half of them random walks, half PCT: each of those finds a fault of depth 2 with probability 1/(n k) >= %.2g, n = %d agents, k = %d operations\n",
			e.Probability(2), e.Agents, e.Length)
		if every, least, name := r.chance(); name != "" {
			fmt.Fprintf(&b, "over the whole run that is at least %.2g %% for a fault that every scenario shows, and %.2g %% for one that only %s shows, which was run least: no finding is no proof\n",
				100*every, 100*least, name)
		}
		var parts []string
		for _, s := range scenarios {
			if n := r.Turns[s.Name]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", s.Name, n))
			}
		}
		fmt.Fprintf(&b, "scenarios, runs to explain a finding included: %s\n", strings.Join(parts, ", "))
		if len(r.Skipped) > 0 {
			fmt.Fprintf(&b, "skipped: %s: the strategy has no Recoverer\n", strings.Join(r.Skipped, ", "))
		}
	}
	if r.Late > 0 {
		fmt.Fprintf(&b, "stalls: in %d of %d schedules a queue was restarted by nothing but the timer of its plug\n", r.Stalled, r.Late)
		if r.Stalled > 0 && !c.Strict {
			s := "s"
			if r.Stalled == 1 {
				s = ""
			}
			fmt.Fprintf(&b, "%d stall%s: a lost wake-up that the plug's timer made up for; --strict shows one\n", r.Stalled, s)
		}
	}
	if u := e.Unchecked; len(u) > 0 {
		fmt.Fprintf(&b, "words that need not come back to what they held, and so were not held to it: %s\n", strings.Join(u, ", "))
	}
	if r.Long != nil && r.Finding == nil {
		fmt.Fprintf(&b, "long run: %v\n", r.Long)
	}
	if len(r.Alone) > 0 {
		fmt.Fprintf(&b, "never contested: no two agents were at once in, or at the last slot of: %s; what a meeting there would show was not tried\n", strings.Join(r.Alone, ", "))
	}
	if r.Finding == nil {
		verdict := "no finding in " + results.Count(e.Schedules, "schedule")
		if r.Partial {
			verdict = "PARTIAL: interrupted; no finding so far, in " + results.Count(e.Schedules, "schedule")
		}
		_, err := fmt.Fprintf(w, "%s\n%s", verdict, b.String())
		return err
	}
	again := ""
	if f := &r.Finding.Config; f.Threads != c.Threads || f.Commands != c.Commands {
		again = ", and then with fewer threads and commands, so that there is less to read"
	}
	if _, err := fmt.Fprintf(w, "FOUND after %s%s: ", results.Count(e.Schedules, "schedule"), again); err != nil {
		return err
	}
	if err := r.Finding.Print(w, full); err != nil || !full {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s", b.String()) // what no finding would rest on
	return err
}
