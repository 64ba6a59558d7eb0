package strategies

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// taker is a limit that knows how many slots are taken: for a moment perhaps
// more, but never fewer.
type taker interface {
	Taken(t *machine.Thread) int
}

// Taken counts what Take raised for a moment, too.
func (c *Counter) Taken(t *machine.Thread) int { return int(c.busy.Load(t)) }

// counted is a limit that does not know, with a counter beside it, for error
// handling.
type counted struct {
	Limit
	n *Counter
}

// countable is a limit under which errors can be handled where the host asks
// for that.
func countable(h *dispatch.Host, l Limit) Limit {
	if _, ok := l.(taker); ok || !h.HandlesErrors() {
		return l
	}
	return &counted{Limit: l, n: NewCounter("host_taken", 0)}
}

func (c *counted) Take(t *machine.Thread) bool {
	if !c.Limit.Take(t) {
		return false
	}
	return c.n.Take(t)
}

func (c *counted) Give(t *machine.Thread) {
	c.Limit.Give(t)
	c.n.Give(t)
}

func (c *counted) Taken(t *machine.Thread) int { return c.n.Taken(t) }
