package results

import (
	"time"

	"hostlock/machine"
)

// account is a small account that closes: 2 cores over 1 ms.
func account() *machine.Account {
	us := func(n int) time.Duration { return time.Duration(n) * time.Microsecond }
	sample := func(core int, what machine.What, section, class string, d time.Duration, n int64) machine.Sample {
		return machine.Sample{What: what, Section: section, Path: []string{"ffsb", section}, Class: class, Core: core, Count: n, Time: d}
	}
	a := &machine.Account{Cores: 2, Window: time.Millisecond, Events: 1234}
	a.Samples = []machine.Sample{
		sample(0, machine.Working, "ffsb", "", us(400), 10),
		sample(0, machine.Spinning, "scsi_request_fn", "host_lock", us(60), 6),
		sample(0, machine.Spinning, "mptsas_qcmd", "FreeQ", us(20), 2),
		sample(0, machine.LineTransfer, "scsi_request_fn", "host", us(20), 9),
		sample(0, machine.Idle, "", "", us(500), 1),
		sample(1, machine.Working, "", "", us(300), 10),
		sample(1, machine.Spinning, "scsi_dispatch_cmd", "host_lock", us(40), 5),
		sample(1, machine.Spinning, "elevator", "host_lock", us(10), 1),
		sample(1, machine.LineWait, "scsi_run_queue", "host", us(15), 3),
		sample(1, machine.Retrying, "scsi_run_queue", "host", us(5), 1),
		sample(1, machine.Switching, "", "", us(130), 1),
		sample(1, machine.Idle, "", "", us(500), 1),
		{What: machine.Working, Section: "scsi_dispatch_cmd", Class: "host_lock", Hold: us(33), Holds: 12, Blocked: us(50)},
		{What: machine.Working, Section: "scsi_request_fn", Class: "host_lock", Hold: us(30), Holds: 20, Blocked: us(50)},
	}
	// The elevator took the lock below scsi_run_queue: that is who pays.
	a.Samples[7].Path = []string{"scsi_run_queue", "elevator"}
	a.Locks = []machine.LockStat{
		{Class: "queue_lock", Acquisitions: 50, Hold: machine.Extremes{Min: us(1), Max: us(2), Total: us(75), Count: 50}, HoldSampled: true},
		{Class: "host_lock", Acquisitions: 32, Contentions: 12, ConBounces: 11, AcqBounces: 20,
			Wait: machine.Extremes{Min: us(2), Max: us(20), Total: us(110), Count: 12}, Within: us(110),
			Hold: machine.Extremes{Min: us(1), Max: us(4), Total: us(63), Count: 32}},
		{Class: "FreeQ", Acquisitions: 32, Contentions: 2, Wait: machine.Extremes{Min: us(8), Max: us(12), Total: us(20), Count: 2}, Within: us(20),
			Hold: machine.Extremes{Min: 200, Max: 400, Total: us(9), Count: 32}},
	}
	return a
}

// fixture is a whole result, near the headline.
func fixture() *Result {
	m, err := FromAccount(account())
	if err != nil {
		panic(err)
	}
	r := &Result{
		Schema: Schema,
		Title:  "FFSB, 128 threads",
		Experiment: Identity{Name: "chen-2010", Strategy: "host-lock", Driver: "mptsas", Workload: "headline",
			Machine: "sim", Cores: 64, Threads: 128, Duration: 2, Warmup: 0.5, Seed: 1},
		Bound:     &Bound{By: "host_lock", Limit: 63000.1234, Reached: 98.96123, Next: &NextBound{"load", 70000}, Why: "1 / (4.00 x (3.57 us held + 400 ns to hand on))", Gain: 11},
		Occupancy: &Occupancy{InFlight: 84.12345, HostFull: 1, DeviceFull: 2},
		Parameters: []Parameter{
			{Name: "mptsas.queuecommand", Value: 6400.0, Unit: "ns", Source: "by the share before", Fitted: true},
			{Name: "host.can_queue", Value: int64(127), Source: "S35"},
			{Name: "midlayer.shape", Value: "lognormal", Unit: "choice", Source: "a choice"},
			{Name: "midlayer.cv", Value: 0.3, Source: "a choice"},
			{Name: "driver.msi", Value: true, Unit: "bool", Source: "S35"},
			{Name: "disk.size", Value: int64(4096), Unit: "bytes", Source: "a choice"},
		},
		IOPS: 62345.67891, ThroughputMB: 255.3678912,
		Operations: Counts{{"transactions", 124691}, {"write", 124691}},
		Commands:   Commands{Issued: 124700, Completed: 124691, Requeued: 9, Failed: 0},
		Latency:    Latency{Mean: 1234.56789, P50: 1200, P95: 2000, P99: 3000, P999: 4000.5, Max: 5000},
		CPU:        m.CPU, Counters: m.Counters, Locks: m.Locks,
		Lines:    LinesOf(account(), func(string) []string { return []string{"host_busy", "host_blocked"} }),
		Fairness: FairnessOf([]int64{900, 1000, 1100}, 2),
		Profiles: Paths{{"cpu", "profiles/chen-2010_host-lock_64c.cpu.pb.gz"}, {"contention", "profiles/chen-2010_host-lock_64c.contention.pb.gz"}},
		Warnings: []string{"buffered I/O goes straight through"},
		NotGiven: []string{"block size", "file system"},
	}
	r.CPU.HostLock = 23.512345
	r.CPU.HostLockByFunction = Shares{{"scsi_dispatch_cmd", 5.8}, {"scsi_device_unbusy", 6.0}, {"scsi_request_fn", 5.8}, {"scsi_run_queue", 5.9}, {"other", 0.0123}}
	r.Published = hostLock.Compare("before", r, []string{"before.iops"})
	return r
}

// after is the fixture under the patch.
func after() *Result {
	r := fixture()
	r.Experiment.Strategy = "unlocked-qcmds"
	r.IOPS = 70000
	r.CPU.HostLock = 1.79
	r.CPU.HostLockByFunction = Shares{{"scsi_dispatch_cmd", 0.54}, {"scsi_device_unbusy", 0.41}, {"scsi_request_fn", 0.40}, {"scsi_run_queue", 0.45}, {"other", 0}}
	r.Published = hostLock.Compare("after", r, nil)
	return r
}
