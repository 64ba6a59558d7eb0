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

// both runs a program without cutting and with. skip says that it is too large.
func both(t require.TestingT, p *program, bound int) (every, some *explore.Report, skip bool) {
	run := func(noCut bool) (*explore.Report, []string) {
		c := explore.Config{Cores: p.cores, Exhaustive: true, Preemptions: bound, NoShrink: true, MaxSteps: 2000, NoCut: noCut}
		if noCut {
			c.Schedules = mostUncut
		}
		seen := map[string]int{}
		r, err := explore.Run(context.Background(), c, p.test(seen))
		require.NoError(t, err)
		return r, slices.Sorted(maps.Keys(seen))
	}
	every, all := run(true)
	if !every.Complete && every.Failure == nil {
		return every, nil, true
	}
	some, kept := run(false)
	if every.Failure != nil {
		require.NotNil(t, some.Failure, "%v found only without cutting, bound %d:\n%v", every.Failure, bound, p)
		return every, some, false
	}
	require.Nil(t, some.Failure, "bound %d:\n%v", bound, p)
	require.True(t, some.Complete)
	require.Equal(t, all, kept, "bound %d:\n%v", bound, p)
	require.Equal(t, every.Distinct, some.Distinct, "bound %d:\n%v", bound, p)
	return every, some, false
}

// What the cut search leaves out is equal to something that it runs, within
// the same bound: small programs come to the same in it as in the search of
// every single order, in as many distinct ways, and fail in it where they fail
// in that one.
func TestCutLosesNothing(t *testing.T) {
	programs, uncut, cut, fail := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		every, some, skip := both(t, p, rapid.IntRange(0, 3).Draw(t, "bound"))
		if skip {
			t.Skip("too many orders")
		}
		programs++
		uncut += every.Schedules
		cut += some.Schedules + some.Cut
		if every.Failure != nil {
			fail++
		}
	})
	t.Logf("%d programs, %d of them fail; %d orders without cutting, %d with", programs, fail, uncut, cut)
}

// Programs of which an earlier search, or one with a part of it left out, lost
// orders, or found too many.
func TestCutLostOnce(t *testing.T) {
	one := func(op string, what int) instr { return instr{op: op, what: what} }
	lock := func(body ...instr) instr { return instr{op: "lock", body: body} }
	on := []int{0, 0, 0}
	for name, v := range map[string]struct {
		bound int
		p     program
	}{
		"a handler that is made pending while it runs": {1, program{
			threads:  [][]instr{{one("arm", 0)}, {lock()}, {one("arm", 0)}},
			handlers: [2][]instr{{lock()}, {lock()}}, device: []instr{one("raise", 0)},
		}},
		"what is used first by another": {0, program{
			threads: [][]instr{
				{one("load", 1), {op: "load", unless: true}, one("wait", 0)},
				{one("load", 0), one("load", 1), one("complete", 0)},
				{{op: "lock", what: 1, body: []instr{one("cas", 1), {op: "load", unless: true}}}},
			},
		}},
		"a handler keeps threads of its core out": {2, program{
			threads: [][]instr{
				{lock(one("store", 1))},
				{one("raise", 1), one("arm", 0)},
				{one("store", 1), lock(one("cas", 1), one("note", 1))},
			},
			handlers: [2][]instr{{}, {one("load", 1), one("load", 1)}},
			device:   []instr{{op: "cas", what: 1, n: 2}, {op: "add", n: 1}},
		}},
		"a device that has ended and may begin again": {1, program{
			threads: [][]instr{
				{one("raise", 0), one("relax", 1), one("cas", 0)},
				{one("disarm", 0), one("raise", 1), one("arm", 0)},
				{one("arm", 0)},
			},
			handlers: [2][]instr{{lock(one("load", 0))}, {lock(one("cas", 0))}},
			device:   []instr{one("load", 0), one("add", 0)},
		}},
		"the same place, with another asleep": {1, program{
			threads:  [][]instr{{one("load", 1), one("load", 1), one("wait", 0)}, {one("cas", 1), one("complete", 0)}, {one("later", 0)}},
			handlers: [2][]instr{{lock()}, {lock()}},
		}},
		"retry loops that nobody ends": {0, program{
			threads: [][]instr{{one("relax", 1), one("disarm", 0)}, {one("relax", 1), one("store", 1)}},
		}},
		"nothing but a timer awake": {1, program{
			threads:  [][]instr{{one("later", 0)}, {lock()}, {one("raise", 0), one("try", 1)}},
			handlers: [2][]instr{{lock()}, {lock()}},
		}},
		"a timer that interrupts": {1, program{
			threads:  [][]instr{{one("later", 0)}, {one("load", 0)}, {one("arm", 0), lock(instr{op: "cas", n: 1}, one("note", 0))}},
			handlers: [2][]instr{{lock()}, {lock()}}, device: []instr{one("note", 0)},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			v.p.cores, v.p.on = 1, on[:len(v.p.threads)]
			_, _, skip := both(t, &v.p, v.bound)
			require.False(t, skip)
		})
	}
}
