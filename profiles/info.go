package profiles

import (
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"hostlock/results"
)

// Info says which run a profile came from. It becomes the comments of the
// profile (`go tool pprof -comments`), and [ReadInfo] gets it back.
type Info struct {
	results.Identity
	// Figures says how the values were obtained. Whoever makes the profile
	// sets it; what a caller puts here is overwritten.
	Figures string
	// Notes are one-line remarks, such as a cut duration.
	Notes []string
}

// The run stands on one line, since pprof repeats all comments at the head of
// every report; the line's start tells ours from other tools' comments.
const (
	commentRun     = "hostlock: "
	commentFigures = "figures: "
	commentNote    = "note: "
)

// How the values of a profile were obtained.
const (
	figuresExact      = "virtual time, exact: every nanosecond of every busy core"
	figuresContention = "exact waits of the machine's own account, by waiter and by holder"
)

func (i Info) comments() []string {
	var run []string
	add := func(key, value string) {
		if value != "" && value != "0" {
			if strings.ContainsAny(value, " \t\r\n\"") {
				value = strconv.Quote(value)
			}
			run = append(run, key+"="+value)
		}
	}
	add("experiment", i.Name)
	add("strategy", i.Strategy)
	add("driver", i.Driver)
	add("workload", i.Workload)
	add("machine", i.Machine)
	add("cores", strconv.Itoa(i.Cores))
	add("threads", strconv.Itoa(i.Threads))
	run = append(run, "seed="+strconv.FormatUint(i.Seed, 10))
	lines := []string{commentRun + strings.Join(run, " ")}
	if i.Figures != "" {
		lines = append(lines, commentFigures+oneLine(i.Figures))
	}
	for _, n := range i.Notes {
		lines = append(lines, commentNote+oneLine(n))
	}
	return lines
}

// oneLine keeps a text from becoming two comments.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ReadInfo reads back what was written into the comments: of the first run,
// where profiles of several were merged. It reports false for a profile that
// carries none; values that do not parse stay zero, since comments are for
// people first.
func ReadInfo(p *profile.Profile) (Info, bool) {
	var info Info
	found := false
	for _, c := range p.Comments {
		if run, ok := strings.CutPrefix(c, commentRun); ok {
			if found {
				break
			}
			found = true
			info.readRun(run)
		}
		if !found {
			continue
		}
		if figures, ok := strings.CutPrefix(c, commentFigures); ok {
			info.Figures = figures
		}
		if note, ok := strings.CutPrefix(c, commentNote); ok {
			info.Notes = append(info.Notes, note)
		}
	}
	return info, found
}

// readRun takes key=value pairs, of which a value may be quoted.
func (i *Info) readRun(run string) {
	for run != "" {
		key, rest, ok := strings.Cut(run, "=")
		if !ok {
			return
		}
		var value string
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			value, _ = strconv.Unquote(quoted)
			run = strings.TrimPrefix(rest[len(quoted):], " ")
		} else {
			value, run, _ = strings.Cut(rest, " ")
		}
		switch key {
		case "experiment":
			i.Name = results.ExperimentName(value)
		case "strategy":
			i.Strategy = value
		case "driver":
			i.Driver = value
		case "workload":
			i.Workload = value
		case "machine":
			i.Machine = value
		case "cores":
			i.Cores, _ = strconv.Atoi(value)
		case "threads":
			i.Threads, _ = strconv.Atoi(value)
		case "seed":
			i.Seed, _ = strconv.ParseUint(value, 10, 64)
		}
	}
}
