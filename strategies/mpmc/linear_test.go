package mpmc_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

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
}

// queue is the sequential model: a bounded queue of values. An operation that
// reports full or empty may have been held up by another that had claimed a
// cell and not yet stored it, as the ring's own words say, and so may report
// that at any time.
var queue = porcupine.Model{
	Init: func() any { return [8]uint32{} }, // values, 0 ends
	Step: func(state, in, out any) (bool, any) {
		q, i, o := state.([8]uint32), in.(input), out.(output)
		n := 0
		for n < len(q) && q[n] != 0 {
			n++
		}
		switch {
		case !o.ok:
			return true, q
		case i.put:
			if n == ringCap {
				return false, q
			}
			q[n] = i.value
			return true, q
		}
		if n == 0 || q[0] != o.value {
			return false, q
		}
		copy(q[:], q[1:])
		return true, q
	},
	Equal: func(a, b any) bool { return a == b },
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
	if porcupine.CheckOperations(queue, all) {
		return nil
	}
	return fmt.Errorf("no order explains %v", all)
}

func explored(clients, ops int) explore.Test {
	return func(m *explore.Machine) (func() error, error) {
		r := mpmc.New("ring", ringCap)
		h := new(history)
		for c := range clients {
			m.Go(fmt.Sprint("client/", c), c, false, func(t *machine.Thread) { h.mixed(t, r, c, ops) })
		}
		return h.check, nil
	}
}

// Under random schedules of three threads, over the full and the empty edge of
// a ring of two cells, and around it several times.
func TestLinearizableExplored(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 300
	}
	r, err := explore.Run(context.Background(), explore.Config{Cores: 3, Seed: 1, Schedules: n}, explored(3, 6))
	require.NoError(t, err)
	if r.Failure != nil {
		t.Fatal(r.Failure, r.Failure.Schedule)
	}
}

// Under every order of two threads with at most three preemptions.
func TestLinearizableExhaustive(t *testing.T) {
	r, err := explore.Run(context.Background(), explore.Config{Cores: 2, Exhaustive: true, Preemptions: 3}, explored(2, 3))
	require.NoError(t, err)
	if r.Failure != nil {
		t.Fatal(r.Failure, r.Failure.Schedule)
	}
	require.True(t, r.Complete)
	t.Logf("%d orders, %d distinct, %d cut", r.Schedules, r.Distinct, r.Cut)
}

// On real goroutines, in rounds short enough to be checked.
func TestLinearizableLive(t *testing.T) {
	for range 50 {
		r := mpmc.New("ring", ringCap)
		h := new(history)
		m, err := machine.NewLive(machine.LiveConfig{})
		if err != nil {
			t.Skip(err)
		}
		for c := range 4 {
			m.Go(fmt.Sprint("client/", c), c, false, func(th *machine.Thread) {
				h.mixed(th, r, c, 8)
				for !m.Stopping() {
					th.Yield()
				}
			})
		}
		_, err = m.Run(context.Background(), machine.Plan{Duration: 200 * time.Microsecond})
		require.NoError(t, err)
		require.NoError(t, h.check())
	}
}
