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
			strategytest.Run(t, s.Name)
		})
	}
}
