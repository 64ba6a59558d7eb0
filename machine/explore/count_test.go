package explore_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// multinomial is the number of ways to interleave sequences of these lengths.
func multinomial(lengths ...int64) int64 {
	n, ways := int64(0), big.NewInt(1)
	for _, l := range lengths {
		n += l
		ways.Mul(ways, new(big.Int).Binomial(n, l))
	}
	return ways.Int64()
}

// steps is a test with threads of so many operations each, on one word or on
// words of their own.
func steps(counts []int, shared, write bool) explore.Test {
	return func(m *mach) (func() error, error) {
		common := word(0)
		for i, n := range counts {
			w := common
			if !shared {
				w = word(0)
			}
			m.Go(fmt.Sprint("t", i), i, false, func(t *machine.Thread) {
				for range n {
					if write {
						w.Add(t, 1)
					} else {
						w.Load(t)
					}
				}
			})
		}
		return nil, nil
	}
}

// Without cutting, every order is run once. A thread of n operations has n+1
// steps, since its beginning is one.
func TestCountsEveryOrder(t *testing.T) {
	for _, v := range []struct {
		counts []int
		want   int64
	}{
		{[]int{1, 1}, multinomial(2, 2)},
		{[]int{2, 2}, multinomial(3, 3)},
		{[]int{3, 4}, multinomial(4, 5)},
		{[]int{1, 1, 1}, multinomial(2, 2, 2)},
		{[]int{1, 2, 3}, multinomial(2, 3, 4)},
	} {
		r, err := explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: -1, NoCut: true}, steps(v.counts, true, true))
		require.NoError(t, err)
		require.True(t, r.Complete)
		require.EqualValues(t, v.want, r.Schedules, v.counts)
		// Beginnings depend on nothing: what differs is the operations alone.
		var ops []int64
		for _, n := range v.counts {
			ops = append(ops, int64(n))
		}
		require.EqualValues(t, multinomial(ops...), r.Distinct, v.counts)
	}
}

// Cutting loses no distinct order: as many are left as there are, 1 where
// nothing depends on anything.
func TestCutsEqualOrders(t *testing.T) {
	for _, v := range []struct {
		name          string
		shared, write bool
		want          int64
	}{
		{"writes of one word", true, true, multinomial(4, 4)},
		{"reads of one word", true, false, 1},
		{"writes of two words", false, true, 1},
	} {
		t.Run(v.name, func(t *testing.T) {
			r, err := explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: -1}, steps([]int{4, 4}, v.shared, v.write))
			require.NoError(t, err)
			require.True(t, r.Complete)
			require.EqualValues(t, v.want, r.Distinct)
			require.Less(t, int64(r.Schedules+r.Cut), multinomial(5, 5))
			t.Logf("%d orders, %d distinct, %d cut, of %d", r.Schedules, r.Distinct, r.Cut, multinomial(5, 5))
		})
	}
}

// With at most c preemptions, the orders of two threads of n steps are those
// with few enough switches: an order that switches s times in all preempts
// s-1 times where the other thread goes on in the end, and s times where it
// has to come back.
func TestCountsPreemptions(t *testing.T) {
	count := func(a, b, bound int) int64 {
		var walk func(left [2]int, cur, used int) int64
		walk = func(left [2]int, cur, used int) (n int64) {
			if left == [2]int{} {
				return 1
			}
			for next := range 2 {
				if left[next] == 0 {
					continue
				}
				u := used
				if cur >= 0 && next != cur && left[cur] > 0 {
					u++
				}
				if u <= bound {
					l := left
					l[next]--
					n += walk(l, next, u)
				}
			}
			return
		}
		return walk([2]int{a, b}, -1, 0)
	}
	for bound := range 4 {
		r, err := explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: bound, NoCut: true}, steps([]int{4, 5}, true, true))
		require.NoError(t, err)
		require.EqualValues(t, count(5, 6, bound), r.Schedules, "bound %d", bound)
		// And cutting keeps every distinct one of them.
		c, err := explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: bound}, steps([]int{4, 5}, true, true))
		require.NoError(t, err)
		require.Equal(t, r.Distinct, c.Distinct, "bound %d", bound)
		require.LessOrEqual(t, c.Schedules, r.Schedules)
	}
}

// Threads that do the same can be exchanged: what is left of their orders is
// one of each pair.
func TestCutsSymmetricOrders(t *testing.T) {
	r, err := explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: -1, Symmetric: true}, steps([]int{4, 4}, true, true))
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.EqualValues(t, multinomial(4, 4)/2, r.Distinct)
	r, err = explore.Run(context.Background(), explore.Config{Exhaustive: true, Preemptions: -1, Symmetric: true}, steps([]int{2, 2, 2}, true, true))
	require.NoError(t, err)
	require.EqualValues(t, multinomial(2, 2, 2)/6, r.Distinct)
}
