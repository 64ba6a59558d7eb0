package explore_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine/explore"
)

// mostUncut bounds the schedules of a program without cutting; larger programs
// are left out.
const mostUncut = 20_000

// What the cut search leaves out is equal to something that it runs, within
// the same bound: small programs come to the same in it as in the search of
// every single order, in as many distinct ways, and fail in it where they fail
// in that one.
func TestCutLosesNothing(t *testing.T) {
	programs, uncut, cut, fail := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		bound := rapid.IntRange(0, 3).Draw(t, "bound")
		cfg := explore.Config{Cores: p.cores, Exhaustive: true, Preemptions: bound, NoShrink: true, MaxSteps: 2000}
		run := func(noCut bool) (*explore.Report, []string) {
			c := cfg
			if c.NoCut = noCut; noCut {
				c.Schedules = mostUncut
			}
			seen := map[string]int{}
			r, err := explore.Run(context.Background(), c, p.test(seen))
			require.NoError(t, err)
			return r, slices.Sorted(maps.Keys(seen))
		}
		every, all := run(true)
		if !every.Complete && every.Failure == nil {
			t.Skip("too many orders")
		}
		some, kept := run(false)
		programs++
		uncut += every.Schedules
		cut += some.Schedules + some.Cut
		if every.Failure != nil {
			require.NotNil(t, some.Failure, "%v found only without cutting, bound %d:\n%v", every.Failure, bound, p)
			fail++
			return
		}
		require.Nil(t, some.Failure, "bound %d:\n%v", bound, p)
		require.True(t, some.Complete)
		require.Equal(t, all, kept, "bound %d:\n%v", bound, p)
		require.Equal(t, every.Distinct, some.Distinct, "bound %d:\n%v", bound, p)
	})
	t.Logf("%d programs, %d of them fail; %d orders without cutting, %d with", programs, fail, uncut, cut)
}
