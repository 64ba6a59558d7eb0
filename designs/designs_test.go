package designs_test

import (
	"testing"

	"hostlock/designs"
	"hostlock/designs/designtest"
)

// Every design keeps its contract, under every kind of lock.
func TestContract(t *testing.T) {
	for _, d := range designs.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			designtest.Run(t, d)
		})
	}
}
