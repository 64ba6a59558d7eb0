package sweep

import (
	"math"
	"slices"

	"hostlock/dispatch"
	"hostlock/machine/param"
	"hostlock/machine/theory"
	"hostlock/results"
)

// theoryOf is what the published chain gives for a point, from parameters
// alone: nothing of it is measured. It is nil where the experiment does not
// say what the chain needs: a queuecommand and a device with one latency each; or
// where the strategy has no host lock on the path.
//
// The chain has n cores that pass one lock; the experiment has threads that
// share cores, wait for a device and take the lock several times a command. Its
// section is the mean of them; its think time is such that cores that
// nobody makes wait take the lock as often as the experiment's: as the device
// lets their threads, or as their own work does, whichever is longer.
func theoryOf(params []param.Value, strategy, driver string, cores, hbas, threads int) *results.SweepTheory {
	info, err := dispatch.LookupStrategy(strategy)
	sections := float64(info.HostLockSections)
	v := valuesOf(params)
	call, device := driver+".queuecommand", driver+".device_latency"
	if err != nil || sections == 0 || hbas < 1 || !v.has("midlayer.section", call, device, "cost.refill", "fs.cpu") {
		return nil
	}
	weights := v.num("midlayer.request_fn") + v.num("midlayer.dispatch_cmd") + v.num("midlayer.device_unbusy") + v.num("midlayer.run_queue")
	s := v.num("midlayer.section") * weights / sections
	work := v.num("fs.cpu") + v.num("midlayer.make_request") + v.num("midlayer.softirq_done") + v.num("midlayer.io_completion")
	if !info.DropsHostLock {
		s += v.num(call) / sections
	} else {
		work += v.num(call)
	}
	// Cores beyond the threads never come to the lock.
	perLock := float64(min(cores, threads)) / float64(hbas)
	n := max(1, int(math.Round(perLock)))
	threadsPerCore := float64(threads) / float64(hbas) / float64(n)
	a := max((work+v.num(device))/threadsPerCore, work) / sections
	c := v.num("cost.refill")
	var service theory.Service
	var lock string
	switch v.text("lock.host_lock") {
	case "ticket":
		lock, service = "ticket", theory.Ticket(s, c)
	case "queued":
		lock, service = "scalable", theory.Scalable(s, c)
	default:
		return nil
	}
	if s <= 0 || a <= 0 {
		return nil
	}
	chain := theory.Solve(n, a, service)
	// A hand-off is time that a waiter spins, and part of the chain's service.
	spin := chain.InLock - chain.Throughput*s
	busy := spin + chain.Throughput*(s+work/sections)
	const second, us = 1e9, 1e3 // in ns
	return &results.SweepTheory{
		Lock: lock, Cores: float64(n), Section: s / us, Think: a / us, Refill: c,
		Contention: 100 * spin / busy,
		IOPS:       chain.Throughput / sections * second * float64(hbas),
	}
}

// values finds parameters by name.
type values []param.Value

func valuesOf(params []param.Value) values { return params }

func (v values) find(name string) (param.Value, bool) {
	i := slices.IndexFunc(v, func(p param.Value) bool { return p.Name == name })
	if i < 0 {
		return param.Value{}, false
	}
	return v[i], true
}

func (v values) has(names ...string) bool {
	for _, n := range names {
		if _, ok := v.find(n); !ok {
			return false
		}
	}
	return true
}

// num is a parameter's number, durations in ns; 0 where there is none.
func (v values) num(name string) float64 { p, _ := v.find(name); return p.Num }

func (v values) text(name string) string { p, _ := v.find(name); return p.Text }
