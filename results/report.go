package results

import (
	"fmt"
	"strconv"
	"strings"
)

// reportOf is everything that a run found, for people.
func reportOf(r *Result) []section {
	r = r.rounded()
	out := []section{headSection(r)}
	out = append(out, liveSections(r)...)
	if p := r.Published; p != nil && r.Live == nil {
		out = append(out, publishedSection("Published beside "+r.How(), p.Rows, r.How()),
			section{lines: []string{Verdict(p.Rows), "source: " + p.Source}})
	}
	out = append(out,
		figuresSection(r), operationsSection(r), functionsSection(r), contentionSection(r),
		budgetSection(r))
	out = append(out, lockSections(r)...)
	out = append(out, linesSection(r), latencySection(r))
	out = append(out, parameterSections(r.Parameters)...)
	out = append(out, section{title: "Not given by the source; ours to choose", lines: r.NotGiven, list: true})
	if c := r.Published; c != nil && c.table != nil {
		out = append(out, section{title: "Conflicts", lines: c.table.Conflicts, list: true})
	}
	return append(out, section{lines: r.Extra}, sensitivitySection(r), profilesSection(r),
		section{title: "Warnings", lines: r.Warnings, list: true})
}

func headSection(r *Result) section {
	e := r.Experiment
	s := section{title: e.Name}
	if r.Title != "" {
		s.title += ": " + r.Title
	}
	s.lines = []string{
		fmt.Sprintf("strategy %s, driver %s, workload %s", e.Strategy, e.Driver, e.Workload),
		fmt.Sprintf("machine %s, %s, %s, %s after %s of warm-up, seed %d",
			e.Machine, Count(e.Cores, "core"), Count(e.Threads, "thread"), seconds(e.Duration), seconds(e.Warmup), e.Seed),
		"figures are " + r.How() + " unless a column says published; parameters marked fitted were chosen to meet published figures",
	}
	switch {
	case r.Ended != "":
		s.lines = append(s.lines, "PARTIAL: "+r.Ended+"; figures are of the time until then")
	case r.Partial:
		s.lines = append(s.lines, "PARTIAL: interrupted; what was measured until then")
	}
	return s
}

// publishedSection is a table of rows, measured beside published.
func publishedSection(title string, rows []Row, how string) section {
	s := section{
		title: title,
		head:  []string{"figure", "published", how, "error", "band", "within", "used to fit"},
		align: "lrrrrll",
	}
	for _, r := range rows {
		unit := "%"
		if r.Published == 0 {
			unit = "" // of nothing there is no percentage: the difference
		}
		s.rows = append(s.rows, []string{
			r.Name, exact(r.Published), number(r.Measured), signed(r.ErrorPct) + unit, "±" + number(r.Band),
			yes(r.Within(), "yes", "NO"), yes(r.UsedToFit, "yes", "predicted"),
		})
	}
	return s
}

func yes(b bool, t, f string) string {
	if b {
		return t
	}
	return f
}

func figuresSection(r *Result) section {
	s := section{title: "This run", head: []string{"figure", r.How(), "unit"}, align: "lrl"}
	add := func(name, value, unit string) { s.rows = append(s.rows, []string{name, value, unit}) }
	add("SCSI commands", number(r.IOPS), "per second")
	add("throughput", number(r.ThroughputMB), "10^6 bytes per second")
	add("busy", number(r.CPU.Busy), "% of cores x time")
	add("host-lock share", r.share(r.CPU.HostLock), "% of busy time, from the profile")
	add("  by the locks' own clocks", number(r.Counters.HostLock), "% of busy time")
	add("contention", r.share(r.CPU.Contention), "% of busy time: all spinning, retries, cache lines")
	add("  by the locks' own clocks", number(r.Counters.Contention), "% of busy time")
	c := r.Commands
	add("commands issued", strconv.FormatInt(c.Issued, 10), "in the whole run, its warm-up included")
	add("  completed", strconv.FormatInt(c.Completed, 10), "")
	add("  failed", strconv.FormatInt(c.Failed, 10), "")
	add("  requeued", strconv.FormatInt(c.Requeued, 10), "times")
	add("  lost", strconv.FormatInt(c.Lost, 10), yes(c.Lost == 0, "", "A FAULT"))
	f := r.Fairness
	add("slowest thread", number(f.Min), "commands per second")
	add("fastest thread", number(f.Max), "commands per second")
	add("spread over threads", number(f.Stddev), "% of the mean, standard deviation")
	return s
}

func operationsSection(r *Result) section {
	s := section{title: "Workload's own counts", head: []string{"operation", "count"}, align: "lr"}
	for _, o := range r.Operations {
		s.rows = append(s.rows, []string{o.Name, strconv.FormatInt(o.Value, 10)})
	}
	return s
}

// functionsSection is the published split, for runs that nothing published
// stands beside.
func functionsSection(r *Result) section {
	s := section{title: "Host-lock share by function", head: []string{"function", r.How() + ", % of busy time"}, align: "lr"}
	if r.CPU.HostLock == 0 || r.Published != nil {
		return s
	}
	for _, e := range r.CPU.HostLockByFunction {
		s.rows = append(s.rows, []string{e.Name, r.share(e.Value)})
	}
	s.foot = []string{"sum", r.share(r.CPU.HostLock)}
	return s
}

func contentionSection(r *Result) section {
	s := section{title: "Contention by class", head: []string{"class", r.How() + ", % of busy time"}, align: "lr"}
	for _, e := range r.CPU.ContentionByClass {
		s.rows = append(s.rows, []string{e.Name, r.share(e.Value)})
	}
	s.foot = []string{"sum", r.share(r.CPU.Contention)}
	return s
}

// smallest is what a budget's row must be to be listed for people, in
// percent; the rest is one row.
const smallest = 0.05

func budgetSection(r *Result) section {
	s := section{title: "CPU budget", head: []string{"what.where", r.How() + ", % of cores x time"}, align: "lr"}
	rest, n, sum := 0.0, 0, 0.0
	for _, e := range r.CPU.Budget {
		sum += e.Value
		if e.Value < smallest {
			rest += e.Value
			n++
			continue
		}
		s.rows = append(s.rows, []string{e.Name, r.budgetShare(e)})
	}
	if n > 0 {
		s.rows = append(s.rows, []string{fmt.Sprintf("%d smaller rows", n), number(rest)})
	}
	s.foot = []string{"sum", number(sum)}
	return s
}

// lockSections are how often locks were taken, and how long they were waited for and
// held.
func lockSections(r *Result) []section {
	counts := section{
		title: "Locks, " + r.How(), align: "lrrrr",
		head: []string{"class", "acquisitions", "contentions", "con-bounces", "acq-bounces"},
	}
	times := section{
		title: "How long locks were waited for and held", align: "lrrrrrr",
		head: []string{"class", "wait avg", "wait max", "wait total", "hold avg", "hold max", "hold total"},
	}
	for _, l := range r.Locks {
		row := []string{l.Class}
		for _, n := range []int64{l.Acquisitions, l.Contentions, l.ConBounces, l.AcqBounces} {
			row = append(row, strconv.FormatInt(n, 10))
		}
		counts.rows = append(counts.rows, row)
		row = []string{l.Class}
		for _, ns := range []int64{l.Wait.Avg, l.Wait.Max, l.Wait.Total, l.Hold.Avg, l.Hold.Max, l.Hold.Total} {
			row = append(row, nanos(ns))
		}
		times.rows = append(times.rows, row)
		if l.HoldSampled {
			times.lines = append(times.lines, l.Class+": holds are sampled, a few of the acquisitions")
		}
	}
	return []section{counts, times}
}

func latencySection(r *Result) section {
	s := section{title: "Latency of a command, " + r.How() + ", us", align: "rrrrrr"}
	var row []string
	for _, q := range r.Latency.quantiles() {
		s.head = append(s.head, q.Name)
		row = append(row, number(q.Value))
	}
	s.rows = [][]string{row}
	return s
}

// parameterSections lists the fitted parameters first and by themselves.
func parameterSections(params []Parameter) []section {
	fitted := section{title: "Fitted parameters", head: []string{"name", "value", "by what"}, align: "lrl"}
	others := section{title: "Other parameters", head: []string{"name", "value", "source"}, align: "lrl"}
	for _, p := range params {
		row := []string{p.Name, p.Text(), p.Source}
		if p.Fitted {
			fitted.rows = append(fitted.rows, row)
		} else {
			others.rows = append(others.rows, row)
		}
	}
	return []section{fitted, others}
}

func sensitivitySection(r *Result) section {
	if r.Published == nil || r.Live != nil {
		return section{}
	}
	return section{title: "If a parameter is wrong", lines: []string{
		"each one 5 and 25 % off, with the share, the gain and the IOPS: results/reference (made by make evidence)",
		"one of them by hand: lab run --set name=value",
	}}
}

func profilesSection(r *Result) section {
	s := section{title: "Profiles", align: "ll", head: []string{"of", "file"}}
	for _, p := range r.Profiles {
		s.rows = append(s.rows, []string{p.Name, p.Value})
	}
	if file, ok := r.Profiles.Get("cpu"); ok {
		open := "open one with: go tool pprof -http=: "
		if r.Live != nil {
			open = "open one with (idle pollers left out): go tool pprof -ignore 'idlePoll|poller' -http=: "
		}
		s.lines = []string{open + quoted(file)}
	}
	return s
}

// quoted makes a path safe to copy into a shell where it has blanks.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$()&;") {
		return strconv.Quote(path)
	}
	return path
}
