package experiment

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"hostlock/machine"
)

// A strategy that is a later kernel's locking has that kernel's spinlocks, unless
// somebody chooses.
func TestTheKernelOfAStrategyDecidesItsLocks(t *testing.T) {
	for kernel, want := range map[string]machine.Kind{"": machine.Ticket, "3.17": machine.Ticket, "4.2": machine.Queued, "5.10": machine.Queued} {
		host, others := lockParams("sim", kernel)
		assert.Equal(t, want.String(), host.Default, kernel)
		for _, p := range others {
			assert.Equal(t, want.String(), p.Default, "%s %s", kernel, p.Name)
		}
		host, _ = lockParams("live", kernel)
		assert.Equal(t, machine.TAS.String(), host.Default, "no queue is real on live")
	}
}
