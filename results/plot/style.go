package plot

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is that of Okabe and Ito, which people tell apart who do not see
// red and green apart; each line has a mark of its own besides.
var palette = [maxLines]color.RGBA{
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x33, 0x33, 0x33, 0xff}, // near black
	{0x99, 0x99, 0x99, 0xff}, // grey
}

var marks = [maxLines]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
	draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{},
}

var (
	ink   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faint = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	muted = color.RGBA{0x55, 0x55, 0x55, 0xff}
	paper = color.White
)

// simulated and theory are the two kinds of lines. Later lines lie on top and
// are narrower, so that two that coincide are both seen.
func (c *Chart) simulated(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i], Width: vg.Points(1.3 + 0.5*float64(len(c.lines)-1-i))}
}

func theory(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i], Width: vg.Points(1.2), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
}

func mark(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[i], Radius: vg.Points(2.8), Shape: marks[i]}
}

// style is a text's, in a face that comes with the library, so that a PNG
// needs no fonts of the computer.
func style(size float64, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Points(size)}
	if bold {
		f.Weight = 3 // golang.org/x/image/font.WeightBold is 3 on its scale from -3
	}
	return text.Style{Color: c, Font: f, Handler: text.Plain{Fonts: font.DefaultCache}}
}

// entry is one item of the legend.
type entry struct {
	text  string
	line  draw.LineStyle
	glyph *draw.GlyphStyle
}

// legend is one row for what was simulated and one for theory.
func (c *Chart) legend() [][]entry {
	var sim, chain []entry
	for i := range c.lines {
		l := &c.lines[i]
		e := entry{text: l.name + ", simulated", line: c.simulated(i)}
		if len(c.xs) <= maxMarks {
			g := mark(i)
			e.glyph = &g
		}
		sim = append(sim, e)
		if len(l.theor) > 0 {
			chain = append(chain, entry{l.name + ", theory", theory(i), nil})
		}
	}
	const most = 4
	for perRow := most; ; perRow-- {
		var rows [][]entry
		for _, all := range [][]entry{sim, chain} {
			for len(all) > perRow {
				rows, all = append(rows, all[:perRow]), all[perRow:]
			}
			if len(all) > 0 {
				rows = append(rows, all)
			}
		}
		if _, total := columns(rows); total <= room || perRow == 1 {
			return rows
		}
	}
}

// columns are how wide the columns of a legend are, and it as a whole.
func columns(rows [][]entry) (widths []vg.Length, total vg.Length) {
	st := style(9.5, false, ink)
	for _, row := range rows {
		for i, e := range row {
			w := legendSample + vg.Points(5) + st.Width(e.text)
			if i == len(widths) {
				widths = append(widths, w)
			}
			widths[i] = max(widths[i], w)
		}
	}
	total = legendGap * vg.Length(len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return widths, total
}

const (
	titleRow     = vg.Length(16)
	legendRow    = vg.Length(15)
	legendSample = vg.Length(26)
	legendGap    = vg.Length(20)
	captionRow   = vg.Length(11)
)

// drawLegend draws the rows in columns, in the middle, from top down.
func drawLegend(c draw.Canvas, rows [][]entry, top vg.Length) {
	st := style(9.5, false, ink)
	st.YAlign = draw.YCenter
	widths, total := columns(rows)
	for r, row := range rows {
		y := top - legendRow*(vg.Length(r)+0.5)
		x := c.Min.X + (c.Max.X-c.Min.X-total)/2
		for i, e := range row {
			c.StrokeLine2(e.line, x, y, x+legendSample, y)
			if e.glyph != nil {
				c.DrawGlyph(*e.glyph, vg.Point{X: x + legendSample/2, Y: y})
			}
			c.FillText(st, vg.Point{X: x + legendSample + vg.Points(5), Y: y}, e.text)
			x += widths[i] + legendGap
		}
	}
}

// wrapped breaks lines that are wider than there is room, between words.
func wrapped(lines []string, st text.Style, room vg.Length) []string {
	var out []string
	for _, line := range lines {
		row := ""
		for _, word := range strings.Fields(line) {
			if row != "" && st.Width(row+" "+word) > room {
				out, row = append(out, row), ""
			}
			if row != "" {
				row += " "
			}
			row += word
		}
		out = append(out, row)
	}
	return out
}
