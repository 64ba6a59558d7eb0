package dispatch

import (
	"time"

	"hostlock/dispatch/cost"
	"hostlock/machine"
	"hostlock/machine/param"
)

var shapes = []string{"lognormal", "exponential", "uniform", "fixed"}

// costs is what the mid-layer charges, alike under every strategy.
type costs struct {
	requestFn, dispatchCmd, deviceUnbusy, runQueue cost.Cost
	makeRequest, softirqDone, ioCompletion         cost.Cost
}

func newCosts(p *param.Set) costs {
	shape, cv := cost.ParseShape(p.Choice("midlayer.shape")), p.Float("midlayer.cv")
	c := func(name string) cost.Cost {
		return cost.New(machine.Dist{Mean: p.Duration(name), Shape: shape, CV: cv})
	}
	section := func(weight string) cost.Cost {
		mean := float64(p.Duration("midlayer.section")) * p.Float(weight)
		return cost.New(machine.Dist{Mean: time.Duration(mean + 0.5), Shape: shape, CV: cv})
	}
	return costs{
		requestFn:    section("midlayer.request_fn"),
		dispatchCmd:  section("midlayer.dispatch_cmd"),
		deviceUnbusy: section("midlayer.device_unbusy"),
		runQueue:     section("midlayer.run_queue"),
		makeRequest:  c("midlayer.make_request"),
		softirqDone:  c("midlayer.softirq_done"),
		ioCompletion: c("midlayer.io_completion"),
	}
}
