package lockload_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"hostlock/designs"
	"hostlock/lockload"
	"hostlock/locks"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func times(t require.TestingT, text string) lockload.Times {
	d, err := lockload.ParseTimes(text)
	require.NoError(t, err)
	return d
}

func config(t require.TestingT, design, kind string, cores int, hold, think string) lockload.Config {
	d, err := designs.Lookup(design)
	require.NoError(t, err)
	k, err := locks.Lookup(kind)
	require.NoError(t, err)
	p := param.New()
	p.Declare(sim.Params()...)
	p.Declare(sim.GoParams()...)
	c := lockload.Config{
		Load:   lockload.Load{Hold: times(t, hold), Think: times(t, think), Keys: 64},
		Design: d, Kind: k, Cores: cores, Costs: sim.CostsFrom(p), Go: sim.GoCostsFrom(p), Seed: 1,
	}
	c.Costs.Switch, c.Costs.Slice = p.Duration("go.switch"), sim.GoSlice
	return c
}

// Nothing is free: a hold of nothing under a lock of one core costs what its two
// operations on the lock's word cost, by the table.
func TestAnEmptyHoldCostsTheFloor(t *testing.T) {
	for _, kind := range locks.Names() {
		c := config(t, "one", kind, 1, "fixed:0ns", "fixed:0ns")
		p, err := lockload.Run(t.Context(), c)
		require.NoError(t, err)
		floor := map[string]time.Duration{
			"tas":     c.Costs.RMW + c.Costs.Store,
			"ttas":    c.Costs.RMW + c.Costs.Store, // by the machine's own lock
			"ticket":  c.Costs.RMW + c.Costs.Store,
			"queued":  c.Costs.RMW + c.Costs.Store,
			"mutex":   2 * c.Costs.RMW, // one to take it, one to release it
			"rwmutex": 4 * c.Costs.RMW, // the inner mutex's, and two on the count of readers
		}[kind]
		assert.InEpsilon(t, float64(floor), p.NsPerOp, 0.05, kind)
	}
}

// Whatever the load, more does not come out than goes in: the cores' bound and the
// lock's, and a closed loop's time adds up.
func TestBounds(t *testing.T) {
	all := designs.All()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(all).Draw(t, "design")
		c := config(t, d.Name, rapid.SampledFrom(locks.Names()).Draw(t, "kind"), rapid.IntRange(1, 24).Draw(t, "cores"),
			rapid.SampledFrom([]string{"0ns", "50ns", "exp:1us", "lognormal:500ns:2"}).Draw(t, "hold"),
			rapid.SampledFrom([]string{"100ns", "exp:2us", "hist:100ns=9,10us=1"}).Draw(t, "think"))
		c.Threads = rapid.IntRange(1, 40).Draw(t, "threads")
		c.Read = rapid.SampledFrom([]float64{0, 0.5, 0.95}).Draw(t, "read")
		c.Lines = rapid.IntRange(0, 3).Draw(t, "lines")
		c.Zipf = rapid.SampledFrom([]float64{0, 1.2}).Draw(t, "zipf")
		c.Seed = rapid.Uint64Range(1, 1000).Draw(t, "seed")
		c.Warmup, c.Duration = 50*time.Microsecond, 300*time.Microsecond
		p, err := lockload.Run(context.Background(), c)
		require.NoError(t, err)
		assert.LessOrEqual(t, p.Contention, 100.0)
		assert.GreaterOrEqual(t, p.Contention, 0.0)
		assert.LessOrEqual(t, p.Utilization, 100.0)
		assert.LessOrEqual(t, p.CPU, 100.0001)
	})
}

// An open load below what the lock can do is served, and one above is not.
func TestOpenLoad(t *testing.T) {
	c := config(t, "one", "queued", 8, "exp:1us", "0ns")
	c.Threads, c.Rate = 64, 300e3
	p, err := lockload.Run(t.Context(), c)
	require.NoError(t, err)
	assert.InEpsilon(t, 300e3, p.OpsPerS, 0.05)
	assert.Equal(t, lockload.BoundLoad, p.Bound)
	c.Rate = 3e6
	p, err = lockload.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Less(t, p.OpsPerS, 1e6)
	assert.Equal(t, lockload.BoundLock, p.Bound)
}

// Data that move with the lock make the hold longer, by a line's way each.
func TestDataMoves(t *testing.T) {
	without := config(t, "one", "queued", 8, "fixed:200ns", "fixed:200ns")
	with := without
	with.Lines = 4
	a, err := lockload.Run(t.Context(), without)
	require.NoError(t, err)
	b, err := lockload.Run(t.Context(), with)
	require.NoError(t, err)
	assert.InEpsilon(t, 4*float64(without.Costs.SameSocket), b.NsPerOp-a.NsPerOp, 0.1)
}

// Go's mutex lets nobody starve: after a millisecond the lock is handed over.
func TestTheMutexHandsOver(t *testing.T) {
	c := config(t, "one", "mutex", 4, "exp:5us", "0ns")
	c.Threads = 16
	p, err := lockload.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Positive(t, p.Fairness.Min)
	assert.Less(t, p.Wait.Max, float64(20*time.Millisecond))
}

// On this computer's cores, with Go's own locks.
func TestLive(t *testing.T) {
	for _, design := range designs.Names() {
		for _, kind := range []string{"mutex", "tas", "rwmutex"} {
			c := config(t, design, kind, 0, "1us", "1us")
			c.Live, c.Cores, c.Threads, c.Read = true, cpus(), 3, 0.5
			c.Warmup, c.Duration = time.Millisecond, 5*time.Millisecond
			p, err := lockload.Run(t.Context(), c)
			require.NoError(t, err, "%s %s", design, kind)
			assert.Equal(t, design, p.Design)
		}
	}
	c := config(t, "one", "ticket", 0, "1us", "1us")
	c.Live, c.Cores, c.Threads = true, cpus(), 2*cpus()+1
	_, err := lockload.Run(t.Context(), c)
	require.ErrorIs(t, err, lockload.ErrQueue)
}

func FuzzParseTimes(f *testing.F) {
	for _, s := range []string{"200ns", "fixed:1us", "exp:1us", "uniform:1ms", "lognormal:1us:2", "hist:1us=1,2us=3", "hist:=", "exp:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := lockload.ParseTimes(text)
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, d.Avg(), time.Duration(0))
		require.LessOrEqual(t, d.Avg(), time.Second)
	})
}
