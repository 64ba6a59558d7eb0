package plot

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a chart, as wide as a page of a README shows it.
const (
	width  = vg.Length(720) // points: 960 pixels of a browser
	height = vg.Length(390) // of a title of one row, and a legend of two
	margin = vg.Length(10)
	dpi    = 144 // of a PNG: two dots a pixel of a browser's 72
)

// Formats are the kinds of files that can be written, by the ends of their
// names.
var Formats = []string{"svg", "png"}

// titleLines are the title, broken where the picture ends.
func (c *Chart) titleLines() []string {
	return wrapped([]string{c.title}, style(12.5, true, ink), room)
}

// room is how wide a text may be.
const room = width - 2*margin

// height is the chart's: graphs keep their size where text needs more rows.
func (c *Chart) height() vg.Length {
	more := titleRow*vg.Length(len(c.titleLines())-1) + legendRow*vg.Length(max(0, len(c.legend())-2))
	if lines := len(wrapped(c.caption, style(8, false, muted), room)); lines > 4 {
		more += captionRow * vg.Length(lines-4)
	}
	return height + more
}

// Format is the kind of a file, by the end of its name.
func Format(file string) (string, error) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	for _, f := range Formats {
		if ext == f {
			return f, nil
		}
	}
	return "", fmt.Errorf("%s is no file of a known kind; legal: a name that ends in .%s", file, strings.Join(Formats, " or ."))
}

// Write draws the chart in a format of [Formats].
func (c *Chart) Write(w io.Writer, format string) error {
	switch format {
	case "svg":
		return c.writeSVG(w)
	case "png":
		img := vgimg.NewWith(vgimg.UseWH(width, c.height()), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(paper))
		if err := c.draw(draw.New(img)); err != nil {
			return err
		}
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
		return err
	}
	return fmt.Errorf("unknown chart format %q; legal: %s", format, strings.Join(Formats, ", "))
}

func (c *Chart) writeSVG(w io.Writer) error {
	svg := vgsvg.New(width, c.height())
	if err := c.draw(draw.New(svg)); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	// Few computers have the face by its name; these have its measures.
	text := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	_, err := w.Write(text)
	return err
}

// draw puts title, two graphs, legend and caption on a canvas.
func (c *Chart) draw(canvas draw.Canvas) error {
	canvas.SetColor(paper)
	canvas.Fill(canvas.Rectangle.Path())
	area := draw.Crop(canvas, margin, -margin, margin, -margin)

	title := style(12.5, true, ink)
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	for i, line := range c.titleLines() {
		area.FillText(title, vg.Point{X: area.Center().X, Y: area.Max.Y - titleRow*vg.Length(i)}, line)
	}

	rows := c.legend()
	caption := style(8, false, muted)
	caption.XAlign, caption.YAlign = draw.XCenter, draw.YBottom
	lines := wrapped(c.caption, caption, area.Max.X-area.Min.X)
	captionHeight := captionRow * vg.Length(len(lines))
	legendHeight := legendRow * vg.Length(len(rows))
	for i, line := range lines {
		y := area.Min.Y + captionRow*vg.Length(len(lines)-1-i)
		area.FillText(caption, vg.Point{X: area.Center().X, Y: y}, line)
	}
	drawLegend(area, rows, area.Min.Y+captionHeight+legendHeight+6)

	rate, err := c.panel(c.rateLabel(), true, func(l *line) []xy { return l.rate }, func(l *line) []xy { return l.theoryRate })
	if err != nil {
		return err
	}
	share, err := c.panel("Contention, % of busy time", false, func(l *line) []xy { return l.share }, func(l *line) []xy { return l.theor })
	if err != nil {
		return err
	}
	graphs := draw.Crop(area, 0, 0, captionHeight+legendHeight+14, -12-titleRow*vg.Length(len(c.titleLines())))
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: 22}
	both := [][]*plot.Plot{{rate, share}}
	for i, canvas := range plot.Align(both, tiles, graphs)[0] {
		both[0][i].Draw(canvas)
	}
	return nil
}
