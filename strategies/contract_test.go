package strategies_test

import (
	"testing"

	"hostlock/dispatch"
	"hostlock/strategies/strategytest"
)

// Every strategy that this package registers keeps the contract.
func TestContract(t *testing.T) {
	for _, s := range dispatch.Strategies() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Name == "bare" && testing.Short() {
				t.Skip("per-queue once more, but for what it cannot do")
			}
			var opts []strategytest.Option
			switch s.Name {
			case "host-lock", "unlocked-qcmds":
				opts = append(opts, strategytest.Stalls("as 2.6.35: a run of the queues takes the starved list away from the completions that come meanwhile"))
			}
			strategytest.Run(t, s.Name, opts...)
		})
	}
}
