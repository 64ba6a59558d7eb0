package layout_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "hostlock/dispatch" // registers the kernel's fields
	"hostlock/machine"
	"hostlock/machine/layout"
)

const (
	busy    = "scsi_device.device_busy"
	blocked = "scsi_device.device_blocked"
	host    = "Scsi_Host.host_busy"
)

func TestFieldsStayWithTheirOwnerUnlessTheLayoutHasThem(t *testing.T) {
	l := &layout.Layout{Lines: []layout.Line{{Fields: []string{busy}}}}
	for _, c := range []struct {
		l    *layout.Layout
		want int // lines of the two
	}{{nil, 1}, {l, 2}} {
		o := layout.NewMap(c.l, "any").Object()
		own := o.Own("device")
		f := own.Fields(busy, blocked)
		assert.Len(t, f.Lines(), c.want)
		assert.Equal(t, c.want == 1, own.Line(busy) == own.Line(blocked))
	}
}

// Every device has a line of its own, whatever the layout calls it.
func TestEveryInstanceHasItsOwnLine(t *testing.T) {
	m := layout.NewMap(&layout.Layout{Lines: []layout.Line{{Name: "x", Fields: []string{busy, blocked}}}}, "any")
	one, two := m.Object().Own("device"), m.Object().Own("device")
	assert.Same(t, one.Line(busy), one.Line(blocked))
	assert.NotSame(t, one.Line(busy), two.Line(busy))
	assert.Equal(t, []string{blocked, busy}, m.FieldsOf("x"))
	assert.Equal(t, []string{blocked, busy}, m.Placed())
}

func TestWhatNobodyWritesIsNowhereUnlessPlaced(t *testing.T) {
	m := layout.NewMap(nil, "any")
	assert.Empty(t, m.Object().Placed("scsi_device.host").Lines())
	m = layout.NewMap(&layout.Layout{Lines: []layout.Line{{Fields: []string{busy, "scsi_device.host"}}}}, "any")
	o := m.Object()
	assert.Equal(t, []*machine.Line{o.Own("device").Line(busy)}, o.Placed("scsi_device.host").Lines())
}

func TestALineOfOneStrategyIsForThatOne(t *testing.T) {
	l := &layout.Layout{Lines: []layout.Line{{Fields: []string{busy}, Strategy: "ring"}}}
	for strategy, want := range map[string]int{"ring": 2, "per-queue": 1} {
		f := layout.NewMap(l, strategy).Object().Own("device").Fields(busy, blocked)
		assert.Len(t, f.Lines(), want, strategy)
	}
}

func TestBeyondIsWhatIsLeft(t *testing.T) {
	a, b, c := machine.NewLine("a"), machine.NewLine("b"), machine.NewLine("c")
	f := machine.FieldsOn(a, b, a, nil, c)
	assert.Equal(t, []*machine.Line{a, b, c}, f.Lines())
	assert.Equal(t, []*machine.Line{a, c}, f.Beyond(machine.FieldsOn(b)).Lines())
	assert.Empty(t, f.Beyond(f).Lines())
}

func TestWrongLinesAreNamed(t *testing.T) {
	for want, lines := range map[string][]layout.Line{
		"without fields":                        {{}},
		"did you mean scsi_device.device_busy?": {{Fields: []string{"scsi_device.device_bsy"}}},
		"named twice":                           {{Fields: []string{busy, busy}}},
		"can share no line":                     {{Fields: []string{busy, host}}},
		"lies on line one already":              {{Name: "one", Fields: []string{busy}}, {Fields: []string{busy}}},
	} {
		l := &layout.Layout{Lines: lines}
		for i := range lines[:len(lines)-1] {
			require.Empty(t, l.Check(i))
		}
		assert.Contains(t, l.Check(len(lines)-1), want)
	}
	both := &layout.Layout{Lines: []layout.Line{{Fields: []string{busy}, Strategy: "a"}, {Fields: []string{busy}, Strategy: "b"}}}
	assert.Empty(t, both.Check(0)+both.Check(1))
}

// sample is what pahole prints, cut down to what matters here.
const sample = `struct scsi_device {
	struct Scsi_Host *         host;                 /*     0     8 */
	struct request_queue *     request_queue;        /*     8     8 */
	struct list_head           siblings;             /*    16    16 */
	void                       (*hook)(struct scsi_device *); /*    32     8 */
	union {
		atomic_t           inner;                /*    40     4 */
		unsigned int       device_blocked;       /*    40     4 */
	} both;                                          /*    40     8 */
	atomic_t                   device_busy;          /*    48     4 */

	/* XXX 4 bytes hole, try to pack */

	spinlock_t                 list_lock;            /*    60     4 */
	/* --- cacheline 1 boundary (64 bytes) --- */
	struct list_head           starved_entry;        /*    64    16 */
	unsigned int               removable:1;          /*   252: 0  4 */

	/* size: 1856, cachelines: 29, members: 60 */
};
struct other {
	int                        device_busy;          /*     0     4 */
};
struct request_queue {
	spinlock_t *               queue_lock;           /*     0     8 */
	/* --- cacheline 2 boundary (128 bytes) --- */
	spinlock_t                 __queue_lock;         /*   128     4 */
};
`

func TestPaholeIsALayout(t *testing.T) {
	require.True(t, layout.IsPahole([]byte(sample)))
	l, err := layout.ParsePahole([]byte(sample))
	require.NoError(t, err)
	by := map[string][]string{}
	for i, line := range l.Lines {
		by[line.Name] = line.Fields
		assert.Empty(t, l.Check(i))
	}
	assert.Equal(t, map[string][]string{
		"scsi_device[0]":   {"scsi_device.host", "scsi_device.request_queue", busy, "scsi_device.list_lock"},
		"scsi_device[64]":  {"scsi_device.starved_entry"},
		"request_queue[0]": {"request_queue.queue_lock"},
	}, by)
}

func TestPaholeFaultsHaveTheirLine(t *testing.T) {
	for text, line := range map[string]int{
		"struct x {\n int a; /* 0 4 */\n};\n":                                                                                     1,
		"struct scsi_device {\n int a; /* 0 4 */\n int device_busy; /* 99999999 4 */\n};\n":                                       3,
		"struct scsi_device {\n int device_busy; /* 0 4 */\n int device_busy; /* 4 4 */\n};\n":                                    3,
		"struct scsi_device {\n/* --- cacheline 1 boundary (63 bytes) --- */\n int device_busy; /* 0 4 */\n};\n":                  2,
		"struct scsi_device {\n int device_busy; /* 0 4 */\n" + strings.Repeat("x", 1<<17):                                        3,
		"struct scsi_device {\n/* --- cacheline 1 boundary (64 bytes) --- */\n/* --- cacheline 1 boundary (128 bytes) --- */\n};": 3,
	} {
		_, err := layout.ParsePahole([]byte(text))
		var wrong *layout.ParseError
		if assert.True(t, errors.As(err, &wrong), text[:min(len(text), 80)]) {
			assert.Equal(t, line, wrong.Line, wrong.Text)
		}
	}
}

func FuzzPahole(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("struct scsi_device {{{{\n int device_busy; /* 0 4 */\n}}}}"))
	f.Add([]byte("struct Scsi_Host {\n int host_busy:3[9]; /* 5: 3 4 */\n};"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := layout.ParsePahole(text)
		if err != nil {
			var wrong *layout.ParseError
			if !errors.As(err, &wrong) || wrong.Line < 1 || strings.Contains(wrong.Text, "\n") {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if len(l.Lines) == 0 {
			t.Fatal("a layout of nothing")
		}
		for i := range l.Lines {
			if why := l.Check(i); why != "" {
				t.Fatal(why)
			}
		}
	})
}
