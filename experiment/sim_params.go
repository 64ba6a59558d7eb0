package experiment

import "hostlock/machine/param"

// machineParams are the choices of the simulated machine that are no costs.
func machineParams() []param.Spec {
	return []param.Spec{
		placementParam(),
		simLockParam(),
	}
}

// simLockParam is the host lock's algorithm on the simulated machine.
func simLockParam() param.Spec {
	return param.Spec{Name: "lock.host_lock", Kind: param.Choice, Default: "ticket", Choices: []string{"ticket", "tas", "queued"},
		About:  "algorithm of the host lock; mutex is the live machine's alone, since interrupt handlers cannot sleep",
		Source: "S35: x86 Linux 2.6.25 to 4.1 had the ticket lock"}
}

func placementParam() param.Spec {
	return param.Spec{Name: "sched.placement", Kind: param.Choice, Default: "idle-core", Choices: []string{"idle-core", "own-core"},
		About:  "where a woken thread runs whose own core is busy: on an idle core, of its socket first, or on its own",
		Source: "CFS of the time moves a woken task to an idle core nearby and balances on idle; both were tried"}
}
