package profiles

import (
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// Info says which run a profile came from. It becomes the comments of the
// profile (`go tool pprof -comments`), and [ReadInfo] gets it back.
type Info struct {
	Experiment string
	Strategy   string
	Driver     string
	Workload   string
	Machine    string // live, sim or explore
	Cores      int
	Threads    int // 0 where not known
	Seed       uint64
	// Figures says how the values were obtained. Whoever makes the profile
	// sets it; what a caller puts here is overwritten.
	Figures string
	// Notes are one-line remarks, such as a cut duration.
	Notes []string
}

// Comments are lines of the form "key: value", under this one, so that other
// tools' comments in the same profile are not mistaken for ours.
const commentHead = "hostlock profile 1"

// How the values of a profile were obtained.
const (
	figuresExact      = "virtual time, exact: every nanosecond of every busy core"
	figuresSampled    = "virtual time, sampled: random instants of busy time, one a period on average"
	figuresContention = "exact waits of the machine's own account, by waiter and by holder"
)

func (i Info) comments() []string {
	lines := []string{commentHead}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, key+": "+oneLine(value))
		}
	}
	add("figures", i.Figures)
	add("experiment", i.Experiment)
	add("strategy", i.Strategy)
	add("driver", i.Driver)
	add("workload", i.Workload)
	add("machine", i.Machine)
	add("cores", strconv.Itoa(i.Cores))
	if i.Threads > 0 {
		add("threads", strconv.Itoa(i.Threads))
	}
	add("seed", strconv.FormatUint(i.Seed, 10))
	for _, n := range i.Notes {
		add("note", n)
	}
	return lines
}

// oneLine keeps a value from becoming two comments.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ReadInfo reads back what was written into the comments. It reports false
// for a profile that carries none; values that do not parse stay zero, since
// comments are for people first.
func ReadInfo(p *profile.Profile) (Info, bool) {
	var info Info
	found := false
	for _, c := range p.Comments {
		if c == commentHead {
			found = true
			continue
		}
		key, value, ok := strings.Cut(c, ": ")
		if !found || !ok {
			continue
		}
		switch key {
		case "figures":
			info.Figures = value
		case "experiment":
			info.Experiment = value
		case "strategy":
			info.Strategy = value
		case "driver":
			info.Driver = value
		case "workload":
			info.Workload = value
		case "machine":
			info.Machine = value
		case "cores":
			info.Cores, _ = strconv.Atoi(value)
		case "threads":
			info.Threads, _ = strconv.Atoi(value)
		case "seed":
			info.Seed, _ = strconv.ParseUint(value, 10, 64)
		case "note":
			info.Notes = append(info.Notes, value)
		}
	}
	return info, found
}
