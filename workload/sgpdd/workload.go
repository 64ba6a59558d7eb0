package sgpdd

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/workload"
	"hostlock/workload/command"
	"hostlock/workload/operand"
	"hostlock/workload/transfer"
)

const tool = "sgp_dd"

var secMain = machine.NewSection("sgp_dd")

func init() {
	command.Register(command.Tool{
		Name:   tool,
		About:  "an sgp_dd command line (sgp_dd if=/dev/zero of=/dev/sg0 bs=512 bpt=1024 thr=32)",
		Params: params(),
		Builtin: workload.Builtin{
			Name: "survey", About: "32 threads write 1 MiB blocks, as sgpdd-survey has sgp_dd do",
			Text: []byte("sgp_dd if=/dev/zero of=/dev/sg0 bs=512 bpt=2048 thr=32 time=1\n"),
		},
		Parse: func(line string, of command.Line) (workload.Workload, error) {
			o, err := parse(line)
			return &sgpdd{Line: of, o: o}, err
		},
	})
}

// sgpdd is a command line as a workload.
type sgpdd struct {
	command.Line
	o *options
}

// Duration, Threads and Warnings implement workload.Workload.
func (w *sgpdd) Duration() time.Duration { return 0 }
func (w *sgpdd) Threads() int            { return int(w.o.threads) }
func (w *sgpdd) Warnings() []string      { return w.Ignored(w.o.ignored) }

// About implements workload.Workload.
func (w *sgpdd) About() string {
	return fmt.Sprintf("sgp_dd: %d threads move %d bytes at a time from %s to %s", w.o.threads, w.o.bs*w.o.bpt, w.o.in, w.o.out)
}

func params() []param.Spec {
	return append([]param.Spec{{
		Name: "sgp_dd.regions", Kind: param.Int, Default: "1", Min: 1, Max: 1024,
		About: "sgp_dd processes side by side, each on a region of the device of its own (crg of sgpdd-survey); the threads are divided among them", Source: "a single sgp_dd has one",
	}}, transfer.Params()...)
}

// Start implements workload.Workload.
func (w *sgpdd) Start(env workload.Env) (workload.Run, error) {
	env, err := env.Complete(w)
	if err != nil {
		return nil, err
	}
	threads := command.Threads(env, int(w.o.threads))
	s := &source{o: w.o, devices: env.System.Devices()}
	if s.in, err = end(w.o.in, "if", s.devices); err != nil {
		return nil, err
	}
	if s.out, err = end(w.o.out, "of", s.devices); err != nil {
		return nil, err
	}
	regions := min(env.Params.Int("sgp_dd.regions"), threads)
	if err := s.divide(regions); err != nil {
		return nil, err
	}
	return transfer.Start(env, transfer.Job{
		Tool: tool, Section: secMain, Threads: threads, Source: s, Passthrough: true,
		Notes:  []string{"sgp_dd: a transfer that one command cannot carry is split, where sg itself would answer ENOMEM; when a region is done it begins again"},
		Report: w.report,
	})
}

// end is the device at one end of the copy, -1 where there is none.
func end(file, key string, devices []*dispatch.Device) (int, error) {
	i, ok, err := command.Device(tool, key+"="+file, file, devices)
	if !ok {
		return -1, nil
	}
	return i, err
}

// source hands out blocks: each region has one position, which its threads
// share.
type source struct {
	o       *options
	devices []*dispatch.Device
	in, out int
	regions []region
}

// region is what one process works on.
type region struct {
	_     [64]byte
	lock  machine.RWMutex // in_mutex: taken for the position alone
	next  atomic.Int64    // transfers handed out
	total int64           // transfers in it
	first int64           // blocks from the beginning of skip and seek
	_     [64]byte
}

// divide cuts the device, or count blocks of it, into regions.
func (s *source) divide(n int) error {
	blocks := int64(math.MaxInt64)
	for _, e := range []struct {
		dev int
		at  int64
	}{{s.in, s.o.skip}, {s.out, s.o.seek}} {
		if e.dev >= 0 {
			blocks = min(blocks, s.devices[e.dev].Capacity*dispatch.SectorSize/s.o.bs-e.at)
		}
	}
	if s.o.count >= 0 {
		if s.o.count > blocks {
			return fmt.Errorf("sgp_dd: count=%d reaches beyond the end of the device; legal: up to %d blocks of %d bytes", s.o.count, max(blocks, 0), s.o.bs)
		}
		blocks = s.o.count
	}
	per := blocks / int64(n) / s.o.bpt
	if per < 1 {
		return fmt.Errorf("sgp_dd: %d blocks in each of sgp_dd.regions=%d; legal: bpt=%d or more, a transfer", max(blocks, 0)/int64(n), n, s.o.bpt)
	}
	s.regions = make([]region, n)
	for i := range s.regions {
		r := &s.regions[i]
		r.lock.Init("sgp_dd_in")
		r.total, r.first = per, int64(i)*per*s.o.bpt
	}
	return nil
}

// Next implements transfer.Source.
func (s *source) Next(t *machine.Thread, thread int, dst []transfer.Move) []transfer.Move {
	r := &s.regions[thread%len(s.regions)]
	r.lock.Lock(t)
	at := r.next.Add(1) - 1
	r.lock.Unlock(t)
	block := r.first + at%r.total*s.o.bpt
	bytes := int(s.o.bs * s.o.bpt)
	perBlock := s.o.bs / dispatch.SectorSize
	if s.in >= 0 {
		dst = append(dst, transfer.Move{Op: dispatch.Read, Device: s.in, Sector: (s.o.skip + block) * perBlock, Bytes: bytes})
	}
	if s.out >= 0 {
		dst = append(dst, transfer.Move{Op: dispatch.Write, Device: s.out, Sector: (s.o.seek + block) * perBlock, Bytes: bytes})
	}
	return dst
}

// report writes what sgp_dd prints at its end, on stderr: megabytes are 10^6
// bytes, and both counts are those of blocks moved.
func (w *sgpdd) report(out io.Writer, t transfer.Totals) error {
	blocks := t.Transfers * w.o.bpt
	text := ""
	if s := t.Window.Seconds(); w.o.time && s > 0 {
		text = fmt.Sprintf("time to transfer data was %.6f secs, %.2f MB/sec\n", s, float64(blocks*w.o.bs)/s/1e6)
	}
	written := blocks
	if _, ok := operand.Device(w.o.out); !ok {
		written = 0 // as sg3_utils prints it for /dev/null
	}
	_, err := fmt.Fprintf(out, "%s%d+0 records in\n%d+0 records out\n", text, blocks, written)
	return err
}
