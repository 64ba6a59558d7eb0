package mpmc_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
	"hostlock/strategies/mpmc"
)

// input and output of one operation: put a value, or take one.
type input struct {
	put   bool
	value uint32
}

type output struct {
	value uint32
	ok    bool
	// excused: it reports full while another was taking, or empty while another
	// was putting. Such a one may be held up by who has claimed a cell and not
	// stored it, as the ring's own words say; any other failure must be right.
	excused bool
}

// queue is the sequential model: a bounded queue of values.
var queue = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, in, out any) (bool, any) {
		q, i, o := []rune(state.(string)), in.(input), out.(output)
		switch {
		case i.put && o.ok:
			return len(q) < ringCap, string(append(q, rune(i.value)))
		case i.put:
			return len(q) == ringCap || o.excused, state
		case o.ok:
			return len(q) > 0 && q[0] == rune(o.value), string(q[min(1, len(q)):])
		}
		return len(q) == 0 || o.excused, state
	},
}

const ringCap = 2

// history is what threads did; the clock counts calls and returns.
type history struct {
	clock atomic.Int64
	ops   [8][]porcupine.Operation
}

// mixed is a thread that puts and takes in turn, beginning with either.
func (h *history) mixed(t *machine.Thread, r *mpmc.Ring, client, ops int) {
	for n := range ops {
		in := input{put: (n+client)%2 == 0, value: uint32(client*100 + n + 1)}
		called := h.clock.Add(1)
		var out output
		if in.put {
			out.ok = r.Enqueue(t, in.value)
		} else {
			out.value, out.ok = r.Dequeue(t)
		}
		h.ops[client] = append(h.ops[client], porcupine.Operation{
			ClientId: client, Input: in, Output: out, Call: called, Return: h.clock.Add(1),
		})
	}
}

func (h *history) check() error {
	var all []porcupine.Operation
	for _, o := range h.ops {
		all = append(all, o...)
	}
	excuse(all)
	if porcupine.CheckOperations(queue, all) {
		return nil
	}
	return fmt.Errorf("no order explains %v", all)
}

// excuse marks the failures that another operation of the opposite kind, under
// way at the same time, may have caused.
func excuse(ops []porcupine.Operation) {
	for n := range ops {
		a := &ops[n]
		out := a.Output.(output)
		for _, b := range ops {
			if !out.ok && a.Input.(input).put != b.Input.(input).put && b.Call < a.Return && a.Call < b.Return {
				out.excused = true
			}
		}
		a.Output = out
	}
}

func explored(clients, ops int, start uint64) explore.Test {
	return func(m *explore.Machine) (func() error, error) {
		r := mpmc.NewAt("ring", ringCap, start)
		h := new(history)
		for c := range clients {
			m.Go(fmt.Sprint("client/", c), c, false, func(t *machine.Thread) { h.mixed(t, r, c, ops) })
		}
		return h.check, nil
	}
}

// Under random schedules of three threads, over the full and the empty edge of
// a ring of two cells, and around it several times, from every start.
func TestLinearizableExplored(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 100
	}
	for _, start := range mpmc.Starts {
		t.Run(fmt.Sprintf("%#x", start), func(t *testing.T) {
			r, err := explore.Run(context.Background(), explore.Config{Cores: 3, Seed: 1, Schedules: n}, explored(3, 6, start))
			require.NoError(t, err)
			if r.Failure != nil {
				t.Fatal(r.Failure, r.Failure.Schedule)
			}
		})
	}
}

// Under every order of two threads with at most three preemptions.
func TestLinearizableExhaustive(t *testing.T) {
	r, err := explore.Run(context.Background(), explore.Config{Cores: 2, Exhaustive: true, Preemptions: 3}, explored(2, 3, 1<<32-3))
	require.NoError(t, err)
	if r.Failure != nil {
		t.Fatal(r.Failure, r.Failure.Schedule)
	}
	require.True(t, r.Complete)
	t.Logf("%d orders, %d distinct, %d cut", r.Schedules, r.Distinct, r.Cut)
}

// On real goroutines, in rounds short enough to be checked, from every start.
func TestLinearizableLive(t *testing.T) {
	for round := range 60 {
		r := mpmc.NewAt("ring", ringCap, mpmc.Starts[round%len(mpmc.Starts)])
		h := new(history)
		m, err := machine.NewLive(machine.LiveConfig{Calibration: 500})
		if err != nil {
			t.Skip(err)
		}
		for c := range 4 {
			m.Go(fmt.Sprint("client/", c), c, false, func(th *machine.Thread) { h.mixed(th, r, c, 8) })
		}
		_, err = m.Run(context.Background(), machine.Course{})
		require.NoError(t, err)
		require.NoError(t, h.check())
	}
}

// The model is worth nothing if it lets wrong histories pass.
func TestModelRefuses(t *testing.T) {
	type op struct {
		input
		output
		call, back int64
	}
	put := func(v uint32, ok bool, at ...int64) op { return op{input{true, v}, output{ok: ok}, at[0], at[1]} }
	take := func(v uint32, ok bool, at ...int64) op { return op{input{}, output{value: v, ok: ok}, at[0], at[1]} }
	for what, c := range map[string]struct {
		fine bool
		ops  []op
	}{
		"in order":                  {true, []op{put(1, true, 1, 2), put(2, true, 3, 4), take(1, true, 5, 6), take(2, true, 7, 8)}},
		"out of order":              {false, []op{put(1, true, 1, 2), put(2, true, 3, 4), take(2, true, 5, 6)}},
		"taken twice":               {false, []op{put(1, true, 1, 2), take(1, true, 3, 4), take(1, true, 5, 6)}},
		"from nothing":              {false, []op{take(1, true, 1, 2)}},
		"too many":                  {false, []op{put(1, true, 1, 2), put(2, true, 3, 4), put(3, true, 5, 6)}},
		"full":                      {true, []op{put(1, true, 1, 2), put(2, true, 3, 4), put(3, false, 5, 6)}},
		"full with room":            {false, []op{put(1, true, 1, 2), put(2, false, 3, 4)}},
		"full beside a put":         {false, []op{put(1, true, 1, 4), put(2, false, 2, 3)}},
		"full beside one who takes": {true, []op{put(1, true, 1, 2), put(2, true, 3, 4), take(1, true, 5, 8), put(3, false, 6, 7)}},
		"empty with one in":         {false, []op{put(1, true, 1, 2), take(0, false, 3, 4)}},
		"empty beside a put":        {true, []op{put(1, true, 1, 4), take(0, false, 2, 3)}},
	} {
		var ops []porcupine.Operation
		for i, o := range c.ops {
			ops = append(ops, porcupine.Operation{ClientId: i, Input: o.input, Output: o.output, Call: o.call, Return: o.back})
		}
		excuse(ops)
		require.Equal(t, c.fine, porcupine.CheckOperations(queue, ops), what)
	}
}
