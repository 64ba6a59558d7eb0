package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// falls is how far a rate must lie below its peak at the end for the peak to be
// one, as a share: less may be chance, or a plateau.
const falls = 0.97

// peak is the greatest of a line's rates where the line falls behind it.
func (l *line) peak() (at xy, ok bool) {
	for i, p := range l.rate {
		if i == 0 || p.y > at.y {
			at = p
		}
	}
	n := len(l.rate)
	return at, n > 1 && l.rate[n-1].y < falls*at.y
}

// drawPeaks puts a ring around each line's peak, with its rate and where it is.
func (c *Chart) drawPeaks(p *plot.Plot) error {
	for i := range c.lines {
		at, ok := c.lines[i].peak()
		if !ok {
			continue
		}
		points := plotted([]xy{at})
		ring, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		ring.GlyphStyle = draw.GlyphStyle{Color: palette[i], Radius: vg.Points(6), Shape: draw.RingGlyph{}}
		name, err := plotter.NewLabels(plotter.XYLabels{XYs: points, Labels: []string{"peak " + short(at.y) + " at " + short(at.x)}})
		if err != nil {
			return err
		}
		// Beside the ring, on the side that has room; every other one below it, since
		// lines that are near each other have their peaks side by side.
		st := style(8, false, palette[i])
		st.XAlign, st.YAlign = draw.XLeft, draw.YBottom
		name.Offset = vg.Point{X: vg.Points(6), Y: vg.Points(4)}
		if c.pastMiddle(at.x) {
			st.XAlign, name.Offset.X = draw.XRight, vg.Points(-6)
		}
		if i%2 == 1 {
			st.YAlign, name.Offset.Y = draw.YTop, vg.Points(-4)
		}
		name.TextStyle = []draw.TextStyle{st}
		p.Add(ring, name)
	}
	return nil
}

// pastMiddle reports whether a place lies in the right half of the graph.
func (c *Chart) pastMiddle(x float64) bool {
	lo, hi := c.xs[0], c.xs[len(c.xs)-1]
	if c.log {
		return x*x > lo*hi
	}
	return 2*x > lo+hi
}
