package dispatch_test

import (
	"fmt"
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

// What a strategy says of itself is what it is: a recoverer that does not say so
// would have all that concerns it left out without a word, and one that is none
// cannot be asked.
func TestAStrategySaysWhetherItRecovers(t *testing.T) {
	shipped, err := dispatch.LookupStrategy("ring")
	require.NoError(t, err)
	for says, s := range map[bool]func(h *dispatch.Host) (dispatch.Strategy, error){
		false: shipped.New,
		true: func(h *dispatch.Host) (dispatch.Strategy, error) {
			s, err := shipped.New(h)
			return struct{ dispatch.Strategy }{s}, err
		},
	} {
		name := fmt.Sprint("says/", says)
		dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: name, Recovers: says, New: s})
		m, err := sim.New(sim.Config{Cores: 1, Costs: sim.DefaultCosts()})
		require.NoError(t, err)
		_, err = dispatch.New(m, dispatch.Config{Strategy: name, Driver: "null"})
		require.ErrorIs(t, err, dispatch.ErrRecovers)
	}
}
