package fio

import (
	"slices"
	"time"

	"hostlock/dispatch/block"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/machine/param"
)

func params() []param.Spec {
	dur := func(name, def, about, source string) param.Spec {
		return param.Spec{Name: name, Kind: param.Duration, Default: def, Max: float64(time.Second), About: about, Source: source}
	}
	return slices.Concat([]param.Spec{
		dur("fio.loop", "300ns", "mean processor time of fio's own loop per operation: its choice, clock and accounts", "measured: fio 3.33 with --ioengine=null does 3.2 million operations a second on one core of 2025"),
		dur("fio.call", "300ns", "mean processor time to enter and leave a system call: io_submit, io_getevents, pread", "assumed: getppid takes 0.1 us without and 0.4 us with mitigations and a virtual machine"),
		dur("fio.io", "2us", "mean processor time of the kernel for one operation above the block layer: direct I/O's own work, or that of a buffered call beside its pages", "assumed: transfer.cpu is 5 us, of a whole system call of 2010; no source gives it"),
		{Name: "fio.cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of those times (lognormal)", Source: "a choice: as the mid-layer's"},
		{Name: "fio.end", Kind: param.Choice, Default: "repeat", Choices: []string{"repeat", "stop"},
			About: "what comes when all jobs have ended before the window has: they begin again, or the window ends with them, as fio does", Source: "a choice: a rate wants a steady load"},
	}, block.Params(), pagecache.Params())
}

// costs are the times of a run.
type costs struct{ loop, call, io cost.Cost }

func newCosts(p *param.Set) costs {
	of := func(name string) cost.Cost {
		return cost.New(machine.Dist{Mean: p.Duration(name), Shape: machine.Lognormal, CV: p.Float("fio.cv")})
	}
	return costs{loop: of("fio.loop"), call: of("fio.call"), io: of("fio.io")}
}
