package results

import "fmt"

// liveSections are what a live run is introduced with: the three columns, and
// where the load comes from.
func liveSections(r *Result) []section {
	l := r.Live
	if l == nil {
		return nil
	}
	return []section{
		threeColumns(r),
		{title: "Where this load comes from", lines: l.Derivation},
		liveSection(r),
		mutexSection(r),
	}
}

// mutexSection says where to look for contention that no CPU profile shows.
func mutexSection(r *Result) section {
	if r.Live.Kind != "mutex" {
		return section{}
	}
	s := section{title: "A mutex's contention is not CPU time (MUTEX.md)", lines: []string{
		"its waiters sleep: the cores idle or do other work, and the CPU profile shows next to nothing",
		"mutex profile: who held the lock while others waited, charged at Unlock; block profile: who waited, charged at Lock; wall: every goroutine, asleep or not",
		"their sums are waiters' delays, many at a time: they can rise when a fix is right, and are no share of anything",
	}}
	for _, p := range [][2]string{{"mutex", ""}, {"block", "-focus 'SpinLock' "}, {"wall", "-focus 'SpinLock' "}} {
		if file, ok := r.Profiles.Get(p[0]); ok {
			s.lines = append(s.lines, "go tool pprof -top -cum "+p[1]+quoted(file))
		}
	}
	return s
}

// threeColumns is published, simulated and measured here, side by side.
func threeColumns(r *Result) section {
	if r.Published == nil {
		return section{}
	}
	l := r.Live
	sim := "simulated"
	if s := l.Simulated; s != nil {
		sim = fmt.Sprintf("simulated, %d cores", s.Experiment.Cores)
	}
	s := section{
		title: "Published, simulated, this computer: " + MechanismNote,
		head:  []string{"figure", "published", sim, fmt.Sprintf("this computer, %d cores", r.Experiment.Cores), "used to derive"},
		align: "lrrrl",
	}
	simulated := map[string]string{}
	if l.Simulated != nil && l.Simulated.Published != nil {
		for _, row := range l.Simulated.Published.Rows {
			simulated[row.Name] = number(row.Measured)
		}
	}
	for _, row := range r.Published.Rows {
		s.rows = append(s.rows, []string{
			row.Name, exact(row.Published), simulated[row.Name], l.WithError(row.Measured), yes(row.UsedToFit, "yes", ""),
		})
	}
	errors := "here with one standard error of sampling"
	if l.Disturbed() {
		errors = fmt.Sprintf("here DISTURBED by %.2f CPU of other processes: nothing to compare with", l.Neighbours)
	}
	s.lines = append(s.lines, fmt.Sprintf("shares of busy CPU time in percent, %s (n = %d samples at %d Hz)", errors, l.Samples, l.Rate))
	if l.Scale != 1 {
		s.lines = append(s.lines, fmt.Sprintf("time scale %s: an I/O takes that many times as long here as at the published rate, so no rate stands beside a published one", number(l.Scale)))
	}
	return append1(s, "source: "+r.Published.Source)
}

func append1(s section, line string) section {
	s.lines = append(s.lines, line)
	return s
}

// liveSection is how well the run went, as a measurement.
func liveSection(r *Result) section {
	l := r.Live
	s := section{title: "This computer", head: []string{"what", "measured", "unit"}, align: "lrl"}
	add := func(name, value, unit string) { s.rows = append(s.rows, []string{name, value, unit}) }
	add("host lock's algorithm", l.Kind, "")
	add("CPU time of this process", number(l.CPU), "s")
	add("  of it idle polling, in no share", number(l.Polled), "s")
	add("busy samples of the CPU profile", fmt.Sprint(l.Samples), fmt.Sprintf("at %d Hz a core", l.Rate))
	add("host-lock share, profile", l.WithError(r.CPU.HostLock), "% of busy time")
	add("  the locks' own clocks", number(r.Counters.HostLock), "% of busy time")
	add("device timers late, mean", number(l.LateMean), "us")
	add("  at most", number(l.LateMax), "us")
	add("spinners that gave up for a while", fmt.Sprint(l.Yields), "times")
	s.lines = []string{l.Neighbour}
	return s
}
