package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Words are about differences that seeds could not make: of one percent of the
// rate, several times the scatter of a point of 8 core-seconds.
const worthAWord = 1.0

// sweepWords say what a sweep's table shows: where each strategy has its peak
// and falls below it, and who wins where.
func sweepWords(s *Sweep) []string {
	axis, value, groups := s.curves()
	if axis == "" {
		return winnersAlone(s)
	}
	var out []string
	for _, g := range groups {
		at := ""
		if g.name != "" {
			at = " at " + g.name
		}
		var names []string
		for name := range g.rows.all() {
			names = append(names, name)
			if words := peak(name, g.rows.of(name), value); words != "" {
				out = append(out, words+at+" (simulated).")
			}
		}
		if len(names) > 1 {
			if words := winners(g.rows, names, value); words != "" {
				out = append(out, words+at+".")
			}
		}
	}
	const most = 12 // a screen holds the table, too
	if len(out) > most {
		more := len(out) - most
		out = append(out[:most], fmt.Sprintf("%s more: see the table.", Count(more, "sentence")))
	}
	return out
}

// curve is the rows of several strategies along an axis, in its order.
type curve struct {
	names []string
	rows  map[string][]SweepRow
}

func (c *curve) add(r SweepRow) {
	if c.rows == nil {
		c.rows = map[string][]SweepRow{}
	}
	if _, ok := c.rows[r.Strategy]; !ok {
		c.names = append(c.names, r.Strategy)
	}
	c.rows[r.Strategy] = append(c.rows[r.Strategy], r)
}

func (c *curve) all() func(func(string) bool) { return slices.Values(c.names) }
func (c *curve) of(name string) []SweepRow    { return c.rows[name] }

// group is a curve with all else equal; its name says what that is, where there
// are several.
type group struct {
	name string
	rows *curve
}

// curves are the sweep's rows along what varies: the cores, else the first
// parameter; axis is "" where nothing does.
func (s *Sweep) curves() (axis string, value func(*SweepRow) string, groups []group) {
	d := &s.Definition
	switch {
	case len(d.Cores) > 1:
		axis, value = "cores", func(r *SweepRow) string { return Count(r.Cores, "core") }
	case len(d.Axes) > 0:
		axis = d.Axes[0].Name
		value = func(r *SweepRow) string { return axis + "=" + r.Value(axis) }
	default:
		return "", nil, nil
	}
	at := map[string]int{}
	for _, r := range s.Rows() {
		var rest []string
		for _, kv := range r.Set {
			if kv.Name != axis {
				rest = append(rest, kv.Name+"="+kv.Value)
			}
		}
		name := strings.Join(rest, ", ")
		i, ok := at[name]
		if !ok {
			i = len(groups)
			at[name] = i
			groups = append(groups, group{name, new(curve)})
		}
		groups[i].rows.add(r)
	}
	return axis, value, groups
}

// peak says where a strategy is fastest, and how far it falls from there.
func peak(name string, rows []SweepRow, value func(*SweepRow) string) string {
	if len(rows) < 2 {
		return ""
	}
	top := 0
	for i := range rows {
		if rows[i].IOPS > rows[top].IOPS {
			top = i
		}
	}
	last, best := &rows[len(rows)-1], &rows[top]
	if best.IOPS <= 0 {
		return ""
	}
	switch lost := 100 * (1 - last.IOPS/best.IOPS); {
	case lost > worthAWord:
		return fmt.Sprintf("%s has its peak at %s with %s IOPS, and falls by %.0f %% to %s at %s", name, value(best), number(best.IOPS), lost, number(last.IOPS), value(last))
	case !slices.ContainsFunc(rows, func(r SweepRow) bool { return r.IOPS < best.IOPS*(1-worthAWord/100) }):
		return fmt.Sprintf("%s has %s IOPS from %s to %s", name, number(best.IOPS), value(&rows[0]), value(last))
	}
	// The first place that is as good as the best one.
	flat := slices.IndexFunc(rows, func(r SweepRow) bool { return r.IOPS >= best.IOPS*(1-worthAWord/100) })
	if flat < len(rows)-1 {
		return fmt.Sprintf("%s rises up to %s, and stays at %s IOPS from there", name, value(&rows[flat]), number(best.IOPS))
	}
	return fmt.Sprintf("%s rises all the way, to %s IOPS at %s", name, number(last.IOPS), value(last))
}

// winners says who is fastest over which stretch of the axis.
func winners(c *curve, names []string, value func(*SweepRow) string) string {
	type stretch struct{ who, from, to string }
	var list []stretch
	for i := range c.of(names[0]) {
		var who []string
		best := 0.0
		for _, n := range names {
			if rows := c.of(n); i < len(rows) {
				best = max(best, rows[i].IOPS)
			}
		}
		for _, n := range names {
			if rows := c.of(n); i < len(rows) && rows[i].IOPS >= best*(1-worthAWord/100) {
				who = append(who, n)
			}
		}
		text, at := strings.Join(who, " and "), value(&c.of(names[0])[i])
		if len(who) == len(names) {
			text = "nobody"
		}
		if n := len(list); n > 0 && list[n-1].who == text {
			list[n-1].to = at
			continue
		}
		list = append(list, stretch{text, at, at})
	}
	var parts []string
	for _, s := range list {
		where := "at " + s.from
		if s.from != s.to {
			where = "from " + s.from + " to " + s.to
		}
		parts = append(parts, s.who+" "+where)
	}
	return fmt.Sprintf("Fastest by more than %.0f %%: ", worthAWord) + strings.Join(parts, "; ")
}

// winnersAlone is the same where nothing varies but the strategy.
func winnersAlone(s *Sweep) []string {
	rows := s.Rows()
	if len(rows) < 2 {
		return nil
	}
	best := slices.MaxFunc(rows, func(a, b SweepRow) int { return cmp.Compare(a.IOPS, b.IOPS) })
	worst := slices.MinFunc(rows, func(a, b SweepRow) int { return cmp.Compare(a.IOPS, b.IOPS) })
	if worst.IOPS <= 0 || 100*(best.IOPS/worst.IOPS-1) < worthAWord {
		return []string{fmt.Sprintf("No strategy is faster than another by more than %.0f %%.", worthAWord)}
	}
	return []string{fmt.Sprintf("%s is fastest with %s IOPS, %.1f %% more than %s, the slowest (simulated).",
		best.Strategy, number(best.IOPS), 100*(best.IOPS/worst.IOPS-1), worst.Strategy)}
}
