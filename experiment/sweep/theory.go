package sweep

import (
	"math"

	"hostlock/experiment"
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
func theoryOf(plan *experiment.Plan, hbas, threads int) *results.SweepTheory {
	info := plan.Strategy()
	sections := float64(info.HostLockSections)
	values := map[string]float64{} // durations in ns
	for _, v := range plan.Parameters() {
		values[v.Name] = v.Num
	}
	call, hasCall := values[plan.Identity().Driver+".queuecommand"]
	device, hasDevice := values[plan.Identity().Driver+".device_latency"]
	cpu, hasCPU := values["fs.cpu"]
	if sections == 0 || hbas < 1 || !hasCall || !hasDevice || !hasCPU {
		return nil
	}
	weights := values["midlayer.request_fn"] + values["midlayer.dispatch_cmd"] + values["midlayer.device_unbusy"] + values["midlayer.run_queue"]
	s := values["midlayer.section"] * weights / sections
	work := cpu + values["midlayer.make_request"] + values["midlayer.softirq_done"] + values["midlayer.io_completion"]
	if info.DropsHostLock {
		work += call
	} else {
		s += call / sections
	}
	// Cores beyond the threads never come to the lock.
	perLock := float64(min(plan.Identity().Cores, threads)) / float64(hbas)
	n := max(1, int(math.Round(perLock)))
	threadsPerCore := float64(threads) / float64(hbas) / float64(n)
	a := max((work+device)/threadsPerCore, work) / sections
	c := values["cost.occupancy_shared"]
	var service theory.Service
	kind, _ := plan.Param("lock.host_lock")
	lock := kind.Text
	switch lock {
	case "ticket":
		service = theory.Ticket(s, c)
	case "queued":
		// Its three transfers: the release's, the head's read, and its write.
		c = values["cost.occupancy"] + 2*values["cost.same_socket"]
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
