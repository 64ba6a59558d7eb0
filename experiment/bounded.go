package experiment

import (
	"slices"
	"time"

	"hostlock/experiment/bound"
	"hostlock/machine"
	"hostlock/results"
)

// use is what a run says of its resources.
func (p *Plan) use(acct *machine.Account, sys *system, r *results.Result) bound.Use {
	template := &sys.Hosts()[0].Template
	window := acct.Window.Seconds()
	u := bound.Use{
		Rate: r.IOPS, Threads: r.Experiment.Threads, Cores: acct.Cores, Hosts: len(sys.Hosts()),
		CanQueue: max(template.CanQueue, 0), Depth: template.QueueDepth, DepthName: "host.cmd_per_lun",
		InterruptName: p.driver.Name + ".irq_core",
	}
	if name := p.driver.Name + ".vectors"; p.params.Has(name) { // where more of them are what raises the limit
		u.InterruptName = name
	}
	if n := template.TargetCanQueue; n > 0 && (n < u.Depth || u.Depth <= 0) {
		u.Depth, u.DepthName = n, "host.target_can_queue"
	}
	o, counted := sys.Occupancy(acct.Began, acct.Window)
	if counted {
		r.Occupancy = &results.Occupancy{InFlight: o.InFlight, HostFull: 100 * o.HostFull, DeviceFull: 100 * o.DeviceFull}
	}
	u.InFlight, u.Waiting, u.Devices = o.InFlight, o.Waiting, o.Used
	u.Ready = acct.Ready.Seconds() / window
	if s, ok := sys.DeviceService(); ok {
		u.Service, u.Channels, u.Shared = s.Per().Seconds(), s.Channels, s.Shared
		u.HeldBack = p.heldBack(r.IOPS / float64(u.Hosts))
		u.Known = !p.Live()
	}
	for _, l := range acct.Locks {
		if u.Rate == 0 || l.Acquisitions == 0 || l.Locks == 0 {
			continue
		}
		hold := l.Hold.Avg().Seconds() // of a sample on this computer
		n := float64(l.Acquisitions)
		one := bound.Lock{
			Class: l.Class, Count: l.Locks, Hold: hold, Handoff: l.Handoff.Seconds() / n,
			PerCommand: n / window / u.Rate,
		}
		one.Utilized = n * (one.Hold + one.Handoff) / window / float64(l.Locks)
		u.Locks = append(u.Locks, one)
	}
	for _, l := range acct.Lines {
		isLock := slices.ContainsFunc(acct.Locks, func(k machine.LockStat) bool { return k.Class == l.Class })
		if isLock || u.Rate == 0 { // a lock's line is part of its hand-off
			continue
		}
		n := float64(l.Served)
		u.Lines = append(u.Lines, bound.Line{
			Class: l.Class, Utilized: l.Hottest.Seconds() / window, Turn: l.Busy.Seconds() / n, PerCommand: n / window / u.Rate,
		})
	}
	return u
}

// heldBack is how long an adapter that coalesces interrupts keeps a reply back: the
// way from the first of a batch to its last, half of it in the mean.
func (p *Plan) heldBack(rate float64) float64 {
	at, is := p.Param(p.driver.Name + ".coalesce_time")
	depth, also := p.Param(p.driver.Name + ".coalesce_depth")
	if !is || !also || at.Num <= 0 || rate <= 0 {
		return 0
	}
	return min(time.Duration(at.Num).Seconds(), (depth.Num-1)/2/rate)
}

// emptyRead is the look at the adapter that ends an interrupt, where it has one.
// With more replies to each there are fewer interrupts, and so neither this nor
// the way into the handler and out of it is what a command must take.
func (p *Plan) emptyRead() float64 {
	v, ok := p.Param(p.driver.Name + ".mmio_read")
	if !ok {
		return 0
	}
	return time.Duration(v.Num).Seconds()
}

// Sections between the admission of a command and the release of its slots, and
// those around and after it, by their kernel names: the innermost tells.
var (
	withSlot    = []string{"scsi_dispatch_cmd", "scsi_softirq_done", "blk_done_softirq", "scsi_finish_command", "scsi_device_unbusy"}
	withoutSlot = []string{"__make_request", "scsi_request_fn", "scsi_run_queue", "scsi_io_completion", "kblockd"}
)

func holdsSlot(s machine.Sample) bool {
	for _, name := range slices.Backward(s.Path) {
		switch {
		case slices.Contains(withSlot, name):
			return true
		case slices.Contains(withoutSlot, name):
			return false
		}
	}
	return s.Hard
}

// simBound says what bounds a run in virtual time, whose account tells what every
// core did at every place.
func (p *Plan) simBound(acct *machine.Account, sys *system, r *results.Result) {
	u := p.use(acct, sys, r)
	window := acct.Window.Seconds()
	hard := make([]float64, acct.Cores)
	for _, s := range acct.Samples {
		cores := s.Time.Seconds() / window
		switch {
		case s.What == machine.Idle || cores == 0:
			continue
		case s.What.Contention():
			u.Spin += cores
			if holdsSlot(s) {
				u.SpinInSlot += cores
			}
		default:
			u.Working += cores
			if holdsSlot(s) {
				u.InSlot += cores
			}
		}
		if s.Hard {
			hard[s.Core] += cores
		}
		if s.Hard && s.What == machine.Switching {
			// One charge for the way in, one for the way out.
			hard[s.Core] -= cores + float64(s.Count)/2*p.emptyRead()/window
		}
	}
	for core, share := range hard {
		if share > u.Interrupts {
			u.Interrupts, u.Core = share, core
		}
	}
	r.Bound = bound.Of(u)
}

// liveBound says what bounds a run on this computer, whose account tells less: what
// waits for a core is what is neither with the driver nor on one.
func (p *Plan) liveBound(acct *machine.Account, sys *system, r *results.Result) {
	u := p.use(acct, sys, r)
	busy := r.CPU.Busy / 100 * float64(acct.Cores)
	u.Spin = busy * r.CPU.Contention / 100
	u.Working = busy - u.Spin
	u.Ready = max(0, float64(u.Threads)-u.InFlight-busy)
	r.Bound = bound.Of(u)
}
