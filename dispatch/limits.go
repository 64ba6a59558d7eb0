package dispatch

import (
	"sync/atomic"

	"hostlock/dispatch/tally"
)

// gauge counts what is with the driver, from queuecommand's entry to the
// driver's completion, apart from any strategy. It is an instrument: it costs
// nothing in virtual time.
type gauge struct {
	now   atomic.Int64
	max   atomic.Int64
	over  atomic.Int64 // times that an entry found the limit reached
	limit int          // 0 is unlimited
	_     [32]byte
}

// enter counts a command in, and says how many there are now.
func (g *gauge) enter() int64 {
	n := g.now.Add(1)
	for {
		m := g.max.Load()
		if n <= m || g.max.CompareAndSwap(m, n) {
			break
		}
	}
	return n
}

// judge compares that with the limit that held for the command.
func (g *gauge) judge(n int64, limit int) {
	if limit > 0 && n > int64(limit) {
		g.over.Add(1)
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

// WithDriver is how many commands of the host the driver has at the moment, as the
// lab counts them: see [System.Limits].
func (h *Host) WithDriver() int { return int(h.commands.now.Load()) }

// WithDriver is the same of a target.
func (tg *Target) WithDriver() int { return int(tg.commands.now.Load()) }

// Limits lists every host's, target's and device's limit with the most that
// was with the driver at a time. All are zero where the system was made with
// NoLimitCheck.
func (sys *System) Limits() []tally.LimitCheck {
	var out []tally.LimitCheck
	add := func(what string, g *gauge) {
		out = append(out, tally.LimitCheck{What: what, Limit: g.limit, Max: int(g.max.Load()), Over: g.over.Load()})
	}
	for _, h := range sys.hosts {
		add("host "+itoa(h.ID)+" can_queue", &h.commands)
		for _, tg := range h.Targets {
			add("target "+itoa(h.ID)+":"+itoa(tg.Index)+" can_queue", &tg.commands)
		}
		for _, d := range h.Devices {
			add("device "+d.Name()+" queue_depth", &d.commands)
		}
	}
	return out
}

// LimitViolations lists the limits that were exceeded; empty is what every
// strategy must reach.
func (sys *System) LimitViolations() []tally.LimitCheck {
	var out []tally.LimitCheck
	for _, c := range sys.Limits() {
		if c.Over > 0 {
			out = append(out, c)
		}
	}
	return out
}
