package plot

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
	const perRow = 4
	var rows [][]entry
	for _, all := range [][]entry{sim, chain} {
		for len(all) > perRow {
			rows, all = append(rows, all[:perRow]), all[perRow:]
		}
		if len(all) > 0 {
			rows = append(rows, all)
		}
	}
	return rows
}

const (
	legendRow    = vg.Length(15)
	legendSample = vg.Length(26)
	legendGap    = vg.Length(20)
	captionRow   = vg.Length(11)
)

// drawLegend draws the rows in columns, in the middle, from top down.
func drawLegend(c draw.Canvas, rows [][]entry, top vg.Length) {
	st := style(9.5, false, ink)
	st.YAlign = draw.YCenter
	var widths []vg.Length // by column
	for _, row := range rows {
		for i, e := range row {
			w := legendSample + vg.Points(5) + st.Width(e.text)
			if i == len(widths) {
				widths = append(widths, w)
			}
			widths[i] = max(widths[i], w)
		}
	}
	total := legendGap * vg.Length(len(widths)-1)
	for _, w := range widths {
		total += w
	}
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
