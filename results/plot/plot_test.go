package plot

import (
	"bytes"
	"fmt"
	"hostlock/machine/param"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/results"
)

// collapse is a sweep over cores, and over what else is asked for.
func collapse(cores []int, axes ...results.SweepAxis) *results.Sweep {
	s := &results.Sweep{Definition: results.SweepDef{
		Experiment: "toy", Strategies: []string{"host-lock", "ring"}, Cores: cores, Weak: true, Axes: axes, Seeds: []uint64{1},
	}}
	sets := [][]param.Setting{{}}
	for _, a := range axes {
		var next [][]param.Setting
		for _, set := range sets {
			for _, v := range a.Values {
				next = append(next, append(append([]param.Setting{}, set...), param.Setting{Name: a.Name, Value: v}))
			}
		}
		sets = next
	}
	for _, set := range sets {
		for i, strategy := range s.Definition.Strategies {
			for _, n := range cores {
				p := results.SweepPoint{Strategy: strategy, Cores: n, Set: set, Seed: 1, IOPS: 1000 * float64(n), Contention: float64(n) / 4}
				if i == 0 {
					p.Theory = &results.SweepTheory{Lock: "ticket", Section: 3.25, Think: 221, Refill: 50, IOPS: 1100 * float64(n), Contention: float64(n) / 5}
				}
				s.Points = append(s.Points, p)
			}
		}
	}
	s.WithTheory = true
	return s
}

func drawn(t *testing.T, s *results.Sweep, format string) []byte {
	t.Helper()
	c, err := New(s)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, c.Write(&b, format))
	return b.Bytes()
}

func TestEqualSweepsGiveEqualBytes(t *testing.T) {
	for _, format := range Formats {
		if format == "png" && testing.Short() {
			continue // takes seconds under the race detector
		}
		s := collapse([]int{1, 2, 4, 8, 16, 64, 96, 256})
		a, b := drawn(t, s, format), drawn(t, s, format)
		assert.Equal(t, a, b, format)
		s.Points[0].IOPS *= 2
		assert.NotEqual(t, a, drawn(t, s, format), format)
	}
}

func TestAPNGIsAPicture(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(drawn(t, collapse([]int{1, 64}), "png")))
	require.NoError(t, err)
	assert.Equal(t, 1440, img.Bounds().Dx())
	wanted := map[color.RGBA]bool{palette[0]: true, palette[1]: true}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			if c := (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}); c.R != c.G { // most of it is grey
				delete(wanted, c)
			}
		}
	}
	assert.Empty(t, wanted, "colours that are not there")
}

// The legend tells what is simulated and what is theory; the caption gives the
// theory's parameters.
func TestWhatAChartSays(t *testing.T) {
	text := string(drawn(t, collapse([]int{1, 2, 4, 8, 16, 64, 96, 256}), "svg"))
	for _, want := range []string{
		"host-lock, simulated", "host-lock, theory", "ring, simulated", "IOPS, thousands", "Contention, % of busy time", ">cores<", ">256<",
		"ticket-lock chain (Boyd-Wickizer et al., OLS 2012)", "3.25 µs (host-lock)", "c = 50 ns", results.TheoryLimits, "Arial,Helvetica,sans-serif",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "ring, theory")
	assert.NotContains(t, text, ">96<", "between powers of two there is a tick only")
	s := collapse([]int{1, 2})
	s.Missing = 3
	assert.Contains(t, string(drawn(t, s, "svg")), "PARTIAL: 3 of 7 points missing")
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		s      *results.Sweep
		label  string
		lines  int
		first  float64
		inLog  bool
		titled string
	}{
		{collapse([]int{1, 2, 4}), "cores", 2, 1, false, "toy, load growing with the cores"},
		{collapse([]int{1, 8}), "cores", 2, 1, true, ""},
		{collapse([]int{1, 8}, results.SweepAxis{Name: "q", Values: []string{"1us", "2us"}}), "cores", 4, 1, true, ""},
		{collapse([]int{4}, results.SweepAxis{Name: "q", Values: []string{"0.5us", "12us"}}), "q, µs", 2, 0.5, true, "toy, 4 cores, "},
		{collapse([]int{4}, results.SweepAxis{Name: "q", Values: []string{"1", "0"}}), "q", 2, 0, false, ""},
		{collapse([]int{4}, results.SweepAxis{Name: "k", Values: []string{"tas", "ticket"}}, results.SweepAxis{Name: "q", Values: []string{"1ms", "2s"}}), "q, s", 4, 0.001, true, ""},
	} {
		chart, err := New(c.s)
		require.NoError(t, err)
		assert.Equal(t, c.label, chart.xLabel)
		assert.Len(t, chart.lines, c.lines)
		assert.Equal(t, c.first, chart.xs[0])
		assert.Equal(t, c.inLog, chart.log, c.label)
		assert.True(t, strings.HasPrefix(chart.title, c.titled), chart.title)
		var b bytes.Buffer
		assert.NoError(t, chart.Write(&b, "svg"))
	}
}

// A sweep in equal steps has an axis in equal steps.
func TestEqualSteps(t *testing.T) {
	var cores []int
	for n := range 80 {
		cores = append(cores, n+1)
	}
	c, err := New(collapse(append(cores, 83)))
	require.NoError(t, err)
	assert.False(t, c.log)
	assert.LessOrEqual(t, len(strings.Split(string(drawn(t, collapse(cores), "svg")), "<text")), 80, "not every number is labelled")
	c, err = New(collapse([]int{1, 2, 3, 4, 5, 6, 8, 16}))
	require.NoError(t, err)
	assert.True(t, c.log)
}

// Where commands carry different amounts their number says nothing.
func TestBytesWhereSizesDiffer(t *testing.T) {
	s := collapse([]int{4}, results.SweepAxis{Name: "sge", Values: []string{"8", "16"}})
	for i := range s.Points {
		s.Points[i].ThroughputMB = 100
	}
	text := string(drawn(t, s, "svg"))
	assert.Contains(t, text, "IOPS, thousands")
	s.Points[0].ThroughputMB = 200
	text = string(drawn(t, s, "svg"))
	assert.Contains(t, text, ">MB/s<")
	assert.NotContains(t, text, "IOPS")
}

func TestWhatCannotBeDrawn(t *testing.T) {
	many := make([]string, 5)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for want, s := range map[string]*results.Sweep{
		"a chart of no points; legal: ":           {Definition: results.SweepDef{Cores: []int{1, 2}}},
		"nothing varies that a chart":             collapse([]int{4}),
		"legal: several --cores, or several numb": collapse([]int{4}, results.SweepAxis{Name: "k", Values: []string{"tas", "ticket"}}),
		"a chart of 10 lines":                     collapse([]int{1, 2}, results.SweepAxis{Name: "k", Values: many}),
	} {
		_, err := New(s)
		assert.ErrorContains(t, err, want)
	}
	_, err := Format("chart.gif")
	assert.EqualError(t, err, "chart.gif is no file of a known kind; legal: a name that ends in .svg or .png")
	f, err := Format("a.b/C.SVG")
	require.NoError(t, err)
	assert.Equal(t, "svg", f)
	c, err := New(collapse([]int{1, 2}))
	require.NoError(t, err)
	assert.Error(t, c.Write(&bytes.Buffer{}, "gif"))
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		first  string
		last   string
	}{{1, 280, "1", "500"}, {0.97, 200, "1", "200"}, {0.9, 201, "0.5", "200"}, {3, 2000, "2", "2000"}} {
		ticks := logTicks(c.lo, c.hi)
		assert.Equal(t, c.first, ticks[0].Label, "%v", c)
		assert.Equal(t, c.last, ticks[len(ticks)-1].Label, "%v", c)
	}
	for _, hi := range []float64{0, 0.3, 1, 7, 94, 100, 12345} {
		step := niceStep(hi)
		assert.Positive(t, step)
		assert.LessOrEqual(t, hi/step, 6.0)
	}
}

// Sizes and durations are drawn as numbers of one unit; what mixes kinds is no
// axis.
func TestAxesOfUnits(t *testing.T) {
	for values, want := range map[string]struct {
		unit  string
		ratio float64 // of the last value to the first
	}{
		"64KiB 128KiB 1MiB": {"MiB", 16}, "512k 1m": {"MiB", 2}, "0.5us 2ms": {"ms", 4000}, "1 2 8": {"", 8}, "4k 64k": {"KiB", 16},
	} {
		list := strings.Fields(values)
		scale, unit, read, ok := numeric(list)
		require.True(t, ok, values)
		assert.Equal(t, want.unit, unit, values)
		first, _ := read(list[0])
		last, _ := read(list[len(list)-1])
		assert.InEpsilon(t, want.ratio, last/first, 1e-9, values)
		assert.Positive(t, scale)
	}
	for _, values := range []string{"1us 64k", "tas ticket", "-1 5", "1 5us"} {
		_, _, _, ok := numeric(strings.Fields(values))
		assert.False(t, ok, values)
	}
}

// A peak is marked where a line falls behind it, and nowhere else.
func TestPeaks(t *testing.T) {
	for name, c := range map[string]struct {
		ys   []float64
		want float64 // 0: none
	}{"falls": {[]float64{1, 5, 3}, 5}, "rises": {[]float64{1, 3, 5}, 0}, "plateau": {[]float64{1, 5, 4.9}, 0}, "falls from the start": {[]float64{5, 3}, 5}, "one": {[]float64{5}, 0}} {
		var l line
		for i, y := range c.ys {
			l.rate = append(l.rate, xy{float64(i), y})
		}
		at, ok := l.peak()
		assert.Equal(t, c.want > 0, ok, name)
		if ok {
			assert.Equal(t, c.want, at.y, name)
		}
	}
}

// Whatever the names are, title and legend stay within the picture; a chart
// grows by the rows that they take.
func TestTextStaysInside(t *testing.T) {
	c := &Chart{title: strings.Repeat("a title of many words, ", 20), xs: []float64{1, 2}, caption: []string{"c"}}
	for i := range maxLines {
		c.lines = append(c.lines, line{name: fmt.Sprintf("unlocked-qcmds, mptsas.queuecommand=%dus, host.can_queue=1024, fs.cpu=20us", i), rate: []xy{{1, 1}, {2, 2}}, share: []xy{{1, 1}, {2, 2}}})
	}
	assert.Greater(t, len(c.titleLines()), 2)
	for _, line := range c.titleLines() {
		assert.LessOrEqual(t, style(12.5, true, ink).Width(line), room)
	}
	_, total := columns(c.legend())
	assert.LessOrEqual(t, total, room)
	assert.Greater(t, c.height(), height)
	require.NoError(t, c.Write(io.Discard, "svg"))
	c.Linear()
	require.NoError(t, c.Write(io.Discard, "png"))
}
