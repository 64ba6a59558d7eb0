package lockload

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size of a chart, as wide as a page of a README shows it.
const (
	chartWidth  = vg.Length(720)
	chartHeight = vg.Length(420)
	chartMargin = vg.Length(10)
)

// Chart draws rate against cores, a line a design and kind, both axes in powers. The
// format is svg or png.
func (r *Report) Chart(w io.Writer, format string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%v held, %v between (%s)", r.load.Hold, r.load.Think, r.Machine)
	p.X.Label.Text, p.Y.Label.Text = "cores", "operations a second"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	var ticks plot.ConstantTicks
	seen := map[int]bool{}
	for i, c := range Curves(r.Points) {
		var xys plotter.XYs
		for _, at := range c.Points {
			if at.OpsPerS > 0 {
				xys = append(xys, plotter.XY{X: float64(at.Cores), Y: at.OpsPerS})
			}
			if !seen[at.Cores] {
				seen[at.Cores] = true
				ticks = append(ticks, plot.Tick{Value: float64(at.Cores), Label: fmt.Sprint(at.Cores)})
			}
		}
		if len(xys) == 0 {
			continue
		}
		line, points, err := plotter.NewLinePoints(xys)
		if err != nil {
			return err
		}
		line.Color, points.Color = plotutil.Color(i), plotutil.Color(i)
		line.Dashes = plotutil.Dashes(i / 7) // as many colours as there are
		points.Shape = plotutil.Shape(i)
		p.Add(line, points)
		p.Legend.Add(c.Name(), line, points)
	}
	p.X.Tick.Marker = ticks
	p.Legend.Left, p.Legend.Top = true, true
	p.Y.Max *= math.Pow(4, 1) // room for the legend above the lines
	to, err := draw.NewFormattedCanvas(chartWidth, chartHeight, format)
	if err != nil {
		return err
	}
	p.Draw(draw.Crop(draw.New(to), chartMargin, -chartMargin, chartMargin, -chartMargin))
	_, err = to.WriteTo(w)
	return err
}
