package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "striped", About: "a constructor that forgot its result",
		New: func(*dispatch.Host) (dispatch.Strategy, error) { return nil, nil },
	})
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name: "hollow", About: "the same of a driver", Template: dispatch.HostTemplate{CanQueue: 1, CmdPerLUN: 1, QueueDepth: 1, SGTableSize: 1, MaxSectors: 8},
		New: func(*dispatch.Host, *param.Set) (dispatch.Driver, error) { return nil, nil },
	})
}

// A constructor without a result is the fault of who wrote it, and no bug of the lab.
func TestAConstructorMustReturnSomething(t *testing.T) {
	for _, c := range []dispatch.Config{{Strategy: "striped", Driver: "null"}, {Strategy: "host-lock", Driver: "hollow"}} {
		m, err := sim.New(sim.Config{Cores: 1, Costs: sim.DefaultCosts()})
		require.NoError(t, err)
		_, err = dispatch.New(m, c)
		if c.Driver == "hollow" {
			require.EqualError(t, err, "driver hollow: New returned no driver")
		} else {
			require.EqualError(t, err, "strategy striped: New returned no strategy")
		}
	}
}
