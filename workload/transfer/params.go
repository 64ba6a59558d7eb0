package transfer

import (
	"slices"
	"time"

	"hostlock/dispatch/block"
	"hostlock/dispatch/cost"
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
