package experiment

import (
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/profiles"
)

// liveParams are the choices of a run on this computer.
func liveParams() []param.Spec {
	return []param.Spec{
		{Name: "live.derive", Kind: param.Bool, Default: "true",
			About:  "derive the load for this computer's core count, where the experiment's published table has a host-lock share; otherwise the experiment's own values are run as they are",
			Source: "a choice: values of a 64-core machine show next to no contention on a few cores"},
		{Name: "live.scale", Kind: param.Float, Default: "1", Min: 0.001, Max: 1000,
			About:  "how many times as long as at the published rate an I/O takes here",
			Source: "1 where the load is not derived"},
		{Name: "live.idle_pollers", Kind: param.Bool, Default: "true",
			About:  "keep idle cores awake with a goroutine that polls, and leave its time out of every share; off under --kind mutex",
			Source: "measured: Go rounds an idle core's sleep up to whole milliseconds, which makes device completions late in the faster variant alone"},
		{Name: "live.cpu_rate", Kind: param.Int, Default: "100", Min: 1, Max: profiles.MaxRate, Unit: "Hz",
			About:  "samples a second a core of the CPU profile; the system's tick bounds it, often at 250",
			Source: "runtime/pprof's own rate; another makes the runtime print one harmless line"},
	}
}

// liveLockParam is the host lock's algorithm on this computer.
func liveLockParam() param.Spec {
	return param.Spec{Name: "lock.host_lock", Kind: param.Choice, Default: machine.TAS.String(),
		Choices: []string{machine.TAS.String(), machine.Mutex.String()},
		About:   "algorithm of the host lock; ticket and queued are the simulated machine's alone",
		Source:  "a fair queue of goroutines collapses for good once one that holds a place in it is not running"}
}
