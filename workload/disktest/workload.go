package disktest

import (
	"fmt"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/workload"
	"hostlock/workload/command"
	"hostlock/workload/transfer"
)

const tool = "disktest"

var secMain = machine.NewSection("disktest")

func init() {
	command.Register(command.Tool{
		Name:   tool,
		About:  "a disktest command line (disktest -r -B 256k -K 4 -I r -T 10 /dev/sda)",
		Params: transfer.Params(),
		Builtin: workload.Builtin{
			Name: "disktest-256k", About: "4 threads read 256 KiB blocks raw, one after the other, as for the published max_sge figures",
			Text: []byte("disktest -r -B 256k -K 4 -p l -I r -T 10 /dev/sda\n"),
		},
		Parse: func(line string, of command.Line) (workload.Workload, error) {
			o, err := parse(line)
			return &disktest{Line: of, o: o}, err
		},
	})
}

// disktest is a command line as a workload.
type disktest struct {
	command.Line
	o *options
}

// Duration, Threads and Warnings implement workload.Workload.
func (w *disktest) Duration() time.Duration { return w.o.seconds }
func (w *disktest) Threads() int            { return int(w.o.threads) }
func (w *disktest) Warnings() []string      { return w.Ignored(w.o.ignored) }

// About implements workload.Workload.
func (w *disktest) About() string {
	how, place := "raw", "one after the other"
	if w.o.buffered {
		how = "buffered"
	}
	if w.o.random {
		place = "at random places"
	}
	return fmt.Sprintf("disktest: %d threads move blocks of %d to %d bytes, %d %% of them reads, %s, %s", w.o.threads, w.o.lo, w.o.hi, w.o.readShare, place, how)
}

// Start implements workload.Workload.
func (w *disktest) Start(env workload.Env) (workload.Run, error) {
	env, err := env.Complete(w)
	if err != nil {
		return nil, err
	}
	threads := command.Threads(env, int(w.o.threads))
	s := &source{o: w.o}
	devices := env.System.Devices()
	if s.device, _, err = command.Device(tool, w.o.target, w.o.target, devices); err != nil {
		return nil, err
	}
	end := devices[s.device].Capacity
	if w.o.to >= 0 {
		if w.o.to >= end {
			return nil, fmt.Errorf("disktest: sector %d is beyond the end of the device; legal: 0 to %d", w.o.to, end-1)
		}
		end = w.o.to + 1
	}
	s.span = end - w.o.from
	if s.span < w.o.hi/sector {
		return nil, fmt.Errorf("disktest: %d sectors have no room for a block of %d bytes", max(s.span, 0), w.o.hi)
	}
	return transfer.Start(env, transfer.Job{
		Tool: tool, Section: secMain, Threads: threads, Source: s, Buffered: w.o.buffered,
		Report: w.report,
	})
}

// source hands out blocks of one device.
type source struct {
	o      *options
	device int
	span   int64 // sectors
	next   atomic.Int64
}

// Next implements transfer.Source. In a linear pass all threads share one
// position, which begins again at its end.
func (s *source) Next(t *machine.Thread, _ int, dst []transfer.Move) []transfer.Move {
	r := t.Rand()
	n := s.o.lo / sector
	if s.o.hi > s.o.lo {
		n += r.Int64N((s.o.hi-s.o.lo)/sector + 1)
	}
	var at int64
	if s.o.random {
		at = r.Int64N(s.span-n+1) / n * n
	} else {
		at = (s.next.Add(n) - n) / n % (s.span / n) * n
	}
	op := dispatch.Read
	if s.o.readShare == 0 || s.o.readShare < 100 && r.IntN(100) >= s.o.readShare {
		op = dispatch.Write
	}
	return append(dst, transfer.Move{Op: op, Device: s.device, Sector: s.o.from + at, Bytes: int(n * sector)})
}
