package results

import (
	"strings"
	"time"

	"hostlock/machine"
)

// budget adds up what the cores did. Its rows are named by what it was, and
// behind a dot by where: work.scsi_request_fn, spin.host_lock, idle.
type budget struct {
	by [machine.WhatCount]map[string]time.Duration
}

func (b *budget) add(s machine.Sample) {
	if b.by[s.What] == nil {
		b.by[s.What] = map[string]time.Duration{}
	}
	b.by[s.What][where(s)] += s.Time
}

// where is the second half of a row's name: the section of work, the class of
// a lock or line; nothing else is split.
func where(s machine.Sample) string {
	name := ""
	switch s.What {
	case machine.Working:
		name = s.Section
	case machine.Spinning, machine.LineWait, machine.Retrying:
		name = s.Class
	default:
		return ""
	}
	if name == "" {
		return "other"
	}
	return name
}

// shares lists the rows over a total in nanoseconds: in the order of
// machine.What, and within it by name.
func (b *budget) shares(total float64) Shares {
	var out Shares
	for what := range machine.WhatCount {
		for _, name := range sortedKeys(b.by[what]) {
			row := strings.TrimSuffix(what.String()+"."+name, ".")
			out.Set(row, 100*float64(b.by[what][name])/total)
		}
	}
	return out
}
