package plot

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hostlock/results"
)

// ceiling is what one resource allows where it bounds some line: the same for all
// lines, or nearly so. A lock's is no ceiling of the chart: each strategy has its
// own, and the strategy's line lies on it.
type ceiling struct {
	by     string
	points []xy
}

// isCeiling tells parameters, processors and devices from locks and from the load.
func isCeiling(by string) bool {
	return by == "cpu" || by == "device" || strings.Contains(by, ".")
}

// ceilingsOf collects them from the points; at equal places the highest counts.
func (c *Chart) ceilingsOf(rows []results.SweepRow, x axis) []ceiling {
	if c.bytes {
		return nil // limits are of commands
	}
	var out []ceiling
	for i := range rows {
		b := rows[i].Bound
		if b == nil || !isCeiling(b.By) {
			continue
		}
		k := slices.IndexFunc(out, func(o ceiling) bool { return o.by == b.By })
		if k < 0 {
			k = len(out)
			out = append(out, ceiling{by: b.By})
		}
		at, limit := x.value(&rows[i].SweepPoint), b.Limit/1000
		points := out[k].points
		if n := slices.IndexFunc(points, func(p xy) bool { return p.x == at }); n >= 0 {
			points[n].y = max(points[n].y, limit)
		} else {
			out[k].points = append(points, xy{at, limit})
		}
	}
	for _, o := range out {
		slices.SortFunc(o.points, func(a, b xy) int {
			if a.x < b.x {
				return -1
			}
			return 1
		})
	}
	// Where lines bend from one bound to the next, a third may rule at a single
	// place: it is drawn only where there is no other.
	wide := slices.DeleteFunc(slices.Clone(out), func(o ceiling) bool { return len(o.points) < 2 })
	if len(wide) > 0 {
		return wide
	}
	return out
}

// widened is the ceiling's line: one that was met at a single place goes on to the
// next on either side, or it could not be seen.
func (c *Chart) widened(o ceiling) []xy {
	if len(o.points) != 1 {
		return o.points
	}
	p := o.points[0]
	i := slices.Index(c.xs, p.x)
	return []xy{{c.xs[max(i-1, 0)], p.y}, {c.xs[min(i+1, len(c.xs)-1)], p.y}}
}

// drawCeilings adds a dashed line and its name for each, and says how far up they
// reach.
func (c *Chart) drawCeilings(p *plot.Plot, all span) (span, error) {
	for _, o := range c.ceilings {
		points := plotted(c.widened(o))
		for _, pt := range points {
			all = all.with(pt.Y)
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return all, err
		}
		l.LineStyle = draw.LineStyle{Color: muted, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(2), vg.Points(2)}}
		last := points[len(points)-1]
		name, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{last}, Labels: []string{"ceiling: " + o.by}})
		if err != nil {
			return all, err
		}
		st := style(8, false, muted)
		st.XAlign, st.YAlign = draw.XRight, draw.YBottom // to the left of its end, so that it stays inside
		name.TextStyle = []draw.TextStyle{st}
		name.Offset = vg.Point{Y: vg.Points(2)}
		p.Add(l, name)
	}
	return all, nil
}
