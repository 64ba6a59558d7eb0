package dd

import (
	"fmt"
	"io"
	"math"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/workload"
	"hostlock/workload/command"
	"hostlock/workload/transfer"
)

const tool = "dd"

var secMain = machine.NewSection("dd")

func init() {
	command.Register(command.Tool{
		Name:   tool,
		About:  "a dd command line (dd if=/dev/sda of=/dev/null count=4096)",
		Params: transfer.Params(),
		Builtin: workload.Builtin{
			Name: "dd-2m", About: "one reader of 2 MiB in blocks of 512 bytes through the page cache, again and again",
			Text: []byte("dd if=/dev/sda of=/dev/null count=4096\n"),
		},
		Parse: func(line string, of command.Line) (workload.Workload, error) {
			o, err := parse(line)
			return &dd{Line: of, o: o}, err
		},
	})
}

// dd is a command line as a workload.
type dd struct {
	command.Line
	o *options
}

// Duration, Threads and Warnings implement workload.Workload.
func (w *dd) Duration() time.Duration { return 0 }
func (w *dd) Threads() int            { return 1 }
func (w *dd) Warnings() []string      { return w.Ignored(w.o.ignored) }

// About implements workload.Workload.
func (w *dd) About() string {
	how := "buffered"
	if w.o.direct {
		how = "direct"
	}
	return fmt.Sprintf("dd: one thread copies from %s to %s in blocks of %d bytes, %s", w.o.in, w.o.out, w.o.ibs, how)
}

// Start implements workload.Workload.
func (w *dd) Start(env workload.Env) (workload.Run, error) {
	env, err := env.Complete(w)
	if err != nil {
		return nil, err
	}
	n := command.Threads(env, 1)
	devices := env.System.Devices()
	s := &source{o: w.o, at: make([]position, n)}
	if s.in, s.inSpan, err = side(w.o.in, "if", w.o.skip*w.o.ibs, devices); err != nil {
		return nil, err
	}
	if s.out, s.outSpan, err = side(w.o.out, "of", w.o.seek*w.o.obs, devices); err != nil {
		return nil, err
	}
	if err := s.fit(int64(n)); err != nil {
		return nil, err
	}
	return transfer.Start(env, transfer.Job{
		Tool: tool, Section: secMain, Threads: n, Source: s, Buffered: !w.o.direct,
		Notes:  []string{"dd: when its blocks are copied it is started again, a little further on, so that the page cache holds none of them"},
		Report: w.report,
	})
}

// side is the device at one end of the copy and how many bytes it has from
// the beginning on; -1 where there is none.
func side(file, key string, from int64, devices []*dispatch.Device) (int, int64, error) {
	i, ok, err := command.Device(tool, key+"="+file, file, devices)
	if !ok || err != nil {
		return -1, math.MaxInt64, err
	}
	return i, devices[i].Capacity*dispatch.SectorSize - from, nil
}

// source hands out blocks one after the other, pass after pass.
type source struct {
	o               *options
	in, out         int
	inSpan, outSpan int64
	pass            int64 // bytes of a pass
	every           int64 // bytes from one pass to the next
	places          int64 // passes that fit
	at              []position
}

// position is where one dd is.
type position struct {
	_     [64]byte
	pass  int64
	bytes int64 // of the pass
	_     [64]byte
}

// gap lies between passes: as far as read-ahead may have reached.
const gap = 64 << 20

// fit works out passes. Several dd, which a larger scale starts, take turns
// with the places.
func (s *source) fit(n int64) error {
	span := min(s.inSpan, s.outSpan)
	unit := s.o.ibs
	if s.in < 0 {
		unit = s.o.obs
	}
	s.pass = span / unit * unit
	if s.o.count >= 0 {
		s.pass = s.o.count * unit
	}
	if s.pass > span || s.pass < unit {
		return fmt.Errorf("dd: %d bytes to copy, and %d there; legal: at least one block, and no more than the device has", s.pass, max(span, 0))
	}
	s.every = s.pass + gap
	s.places = max(span/s.every, 1)
	for i := range s.at {
		s.at[i].pass = int64(i) * max(s.places/n, 1)
	}
	return nil
}

// Next implements transfer.Source.
func (s *source) Next(_ *machine.Thread, thread int, dst []transfer.Move) []transfer.Move {
	p := &s.at[thread]
	unit := s.o.ibs
	if s.in < 0 {
		unit = s.o.obs
	}
	if p.bytes >= s.pass {
		p.pass++
		p.bytes = 0
	}
	off := p.pass%s.places*s.every + p.bytes
	again := p.bytes == 0
	p.bytes += unit
	if s.in >= 0 {
		dst = append(dst, transfer.Move{Op: dispatch.Read, Device: s.in, Sector: (s.o.skip*s.o.ibs + off) / sector, Bytes: int(unit), Again: again})
	}
	if s.out >= 0 {
		dst = append(dst, transfer.Move{Op: dispatch.Write, Device: s.out, Sector: (s.o.seek*s.o.obs + off) / sector, Bytes: int(unit), Again: again})
		if s.o.dsync || s.o.fsync && p.bytes >= s.pass {
			dst = append(dst, transfer.Move{Op: dispatch.Flush, Device: s.out})
		}
	}
	return dst
}

// report writes what dd prints at its end, on stderr.
func (w *dd) report(out io.Writer, t transfer.Totals) error {
	if w.o.quiet {
		return nil
	}
	blocks := t.Transfers
	bytes := max(t.ReadBytes, t.WriteBytes)
	text := fmt.Sprintf("%d+0 records in\n%d+0 records out\n", blocks, bytes/w.o.obs)
	if !w.o.noxfer {
		rate := float64(bytes) / max(t.Window.Seconds(), 1e-9)
		text += fmt.Sprintf("%d bytes%s copied, %s s, %s/s\n", bytes, human(bytes), decimal(t.Window.Seconds()), si(rate))
	}
	_, err := io.WriteString(out, text)
	return err
}

// human is dd's bracket: nothing for less than a kilobyte, powers of 1000
// alone for less than a kibibyte, else both.
func human(bytes int64) string {
	switch {
	case bytes < 1000:
		return ""
	case bytes < 1024:
		return " (" + si(float64(bytes)) + ")"
	}
	return fmt.Sprintf(" (%s, %s)", si(float64(bytes)), binary(float64(bytes)))
}

func si(n float64) string { return scaled(n, 1000, []string{"B", "kB", "MB", "GB", "TB", "PB"}) }
func binary(n float64) string {
	return scaled(n, 1024, []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"})
}

// scaled prints one decimal below ten, none above, as dd does.
func scaled(n, base float64, units []string) string {
	i := 0
	for n >= base && i < len(units)-1 {
		n /= base
		i++
	}
	if i > 0 && n < 9.95 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}

// decimal is a time in seconds as %g prints it, six digits.
func decimal(s float64) string { return fmt.Sprintf("%g", math.Round(s*1e6)/1e6) }
