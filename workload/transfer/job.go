package transfer

import (
	"hostlock/dispatch/cost"
	"io"
	"slices"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Params declares what every job depends on.
func Params() []param.Spec {
	return slices.Concat([]param.Spec{
		{Name: "transfer.cpu", Kind: param.Duration, Default: "5us", Max: float64(time.Second),
			About: "mean processor time of a system call that moves one block, its pages apart", Source: "assumed: order of magnitude of a raw read or write of 2010; no source gives it"},
		{Name: "transfer.cv", Kind: param.Float, Default: "0.3", Max: 10,
			About: "standard deviation over mean of that time (lognormal)", Source: "a choice: as the mid-layer's"},
	}, block.Params(), pagecache.Params())
}

func syscall(p *param.Set) cost.Cost {
	return cost.New(machine.Dist{Mean: p.Duration("transfer.cpu"), Shape: machine.Lognormal, CV: p.Float("transfer.cv")})
}

// Move is one block between memory and a device.
type Move struct {
	Op     dispatch.Op
	Device int   // index in the system
	Sector int64 // 512 bytes each
	Bytes  int   // a multiple of 512
	Again  bool  // the program begins anew: it opens the device again
}

// Source says what each thread does next. Threads ask at the same time.
type Source interface {
	// Next appends the moves of a thread's next transfer, in their order, to
	// dst. None means that the thread has nothing to do any more.
	Next(t *machine.Thread, thread int, dst []Move) []Move
}

// Job is what a tool asks for.
type Job struct {
	Tool        string // what its threads are called
	Section     *machine.Section
	Threads     int
	Source      Source
	Passthrough bool // requests are the program's own, as sg's are
	Buffered    bool // through the page cache
	Notes       []string
	// Report writes the tool's own summary lines.
	Report func(w io.Writer, t Totals) error
}

// Totals are what a job moved within the window.
type Totals struct {
	Window     time.Duration
	Threads    int
	Transfers  int64 // of Source.Next
	Reads      int64 // moves
	Writes     int64
	ReadBytes  int64
	WriteBytes int64
	Commands   int64 // requests that the moves became
	Segments   int64 // entries of their tables
}

func (t *Totals) add(o *Totals) {
	t.Transfers += o.Transfers
	t.Reads += o.Reads
	t.Writes += o.Writes
	t.ReadBytes += o.ReadBytes
	t.WriteBytes += o.WriteBytes
	t.Commands += o.Commands
	t.Segments += o.Segments
}
