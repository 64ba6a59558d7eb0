package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
)

// Every driver can be verified, under every strategy that it can have: what
// only the package's own driver can tell is left out. Their plain fields are
// ordered, or declared not to be.
func TestOtherDrivers(t *testing.T) {
	n := 200
	switch {
	case slow:
		n = 10
	case testing.Short():
		n = 40
	}
	for _, d := range dispatch.Drivers() {
		for _, s := range []string{"host-lock", "ring"} {
			t.Run(d.Name+"/"+s, func(t *testing.T) {
				r, err := Run(context.Background(), Config{Strategy: s, Driver: d.Name, Seed: 1, Schedules: n, AsFound: true})
				require.NoError(t, err)
				if r.Finding != nil {
					t.Fatal(r.Finding.What)
				}
			})
		}
	}
}
