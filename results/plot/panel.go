package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxMarks is how many marks of a line do not run into each other.
const maxMarks = 32

// panel is one of the two graphs, without its legend.
func (c *Chart) panel(title string, logY bool, simulatedOf, theoryOf func(*line) []xy) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = paper
	p.Title.Text = title
	p.Title.TextStyle = style(11, true, ink)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = c.xLabel
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	grid.Vertical.Width, grid.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	p.Add(grid)
	all := newSpan()
	for _, theoryToo := range []bool{true, false} { // simulated ones on top
		for i := range c.lines {
			of, st := simulatedOf, c.simulated(i)
			if theoryToo {
				of, st = theoryOf, theory(i)
			}
			points := plotted(of(&c.lines[i]))
			if len(points) == 0 {
				continue
			}
			for _, pt := range points {
				all = all.with(pt.Y)
			}
			l, err := plotter.NewLine(points)
			if err != nil {
				return nil, err
			}
			l.LineStyle = st
			p.Add(l)
			if theoryToo || len(c.xs) > maxMarks {
				continue
			}
			s, err := plotter.NewScatter(points)
			if err != nil {
				return nil, err
			}
			s.GlyphStyle = mark(i)
			p.Add(s)
		}
	}
	if logY { // the rate's
		if err := c.drawPeaks(p); err != nil {
			return nil, err
		}
		var err error
		if all, err = c.drawCeilings(p, all); err != nil {
			return nil, err
		}
	}
	c.axes(p, logY, all)
	return p, nil
}

func plotted(points []xy) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, p := range points {
		out[i] = plotter.XY{X: p.x, Y: p.y}
	}
	return out
}

// axes sets ranges, scales and ticks.
func (c *Chart) axes(p *plot.Plot, logY bool, y span) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color = muted
		a.LineStyle.Color, a.LineStyle.Width = muted, vg.Points(0.6)
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = vg.Points(3)
		a.Padding = vg.Points(4)
		tick := style(9, false, ink)
		tick.XAlign, tick.YAlign = a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = tick
		label := style(10, false, ink)
		label.XAlign, label.YAlign = a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign
		a.Label.TextStyle = label
	}
	p.X.Min, p.X.Max = c.xs[0], c.xs[len(c.xs)-1]
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2+1
	}
	if c.log {
		p.X.Scale = plot.LogScale{}
	}
	p.X.Tick.Marker = plot.ConstantTicks(c.xTicks())
	if logY && !c.linear && y.lo > 0 && y.hi >= 10*y.lo {
		ticks := logTicks(y.lo, y.hi)
		p.Y.Scale = plot.LogScale{}
		p.Y.Min, p.Y.Max = min(ticks[0].Value, y.lo), max(ticks[len(ticks)-1].Value, y.hi)
		p.Y.Tick.Marker = plot.ConstantTicks(ticks)
		return
	}
	step := niceStep(y.hi)
	p.Y.Min, p.Y.Max = 0, step*math.Ceil(y.hi/step-1e-9)
	if p.Y.Max == 0 {
		p.Y.Max = 1
	}
	var ticks []plot.Tick
	for v := 0.0; v <= p.Y.Max*(1+1e-9); v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
}

// xTicks are the values themselves while they have room; on a log axis the
// powers of two among them and the last, else every so many.
func (c *Chart) xTicks() []plot.Tick {
	const room = 12
	every := (len(c.xs) + room - 1) / room
	powers := 0
	for _, x := range c.xs {
		if isPower(x) {
			powers++
		}
	}
	byPowers := c.log && powers >= 4
	var ticks []plot.Tick
	labelled := 0.0
	for i, x := range c.xs {
		label := strconv.FormatFloat(x, 'g', 4, 64)
		switch last := i == len(c.xs)-1; {
		case byPowers && !isPower(x) && !(last && x >= 1.3*labelled), !byPowers && i%every != 0:
			label = ""
		default:
			labelled = x
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: label})
	}
	return ticks
}

func isPower(x float64) bool { f, _ := math.Frexp(x); return f == 0.5 }

// nearly is how far beyond its last label an axis may go on.
const nearly = 0.95

// logTicks are 1, 2 and 5 of each power of ten, from the last one at or below
// lo to the first at or above hi: an axis that ends with labels leaves both
// graphs the same room.
func logTicks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(lo)); ; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v <= lo/nearly { // 1 will do for 0.97
				ticks = nil // a later one may be nearer
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
			if v >= hi*nearly {
				return ticks
			}
		}
	}
}

// niceStep gives about five steps from 0 to hi.
func niceStep(hi float64) float64 {
	if !(hi > 0) {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(hi)))
	for _, m := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if hi/(m*base) <= 6 {
			return m * base
		}
	}
	return 2 * base
}
