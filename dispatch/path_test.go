package dispatch_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/results"
	_ "hostlock/strategies"
)

// cheat is host-lock with one verb replaced.
type cheat struct {
	dispatch.Strategy
	h       *dispatch.Host
	next    func(*cheat, *machine.Thread, *dispatch.Device) *dispatch.Command
	call    func(*cheat, *machine.Thread, *dispatch.Command) dispatch.Code
	release func(*cheat, *machine.Thread, *dispatch.Command)
	starved func(*cheat, *machine.Thread, *dispatch.Run) *dispatch.Device
}

func (c *cheat) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if c.call != nil {
		return c.call(c, t, cmd)
	}
	return c.Strategy.Call(t, cmd)
}

func (c *cheat) Release(t *machine.Thread, cmd *dispatch.Command) {
	if c.release != nil {
		c.release(c, t, cmd)
		return
	}
	c.Strategy.Release(t, cmd)
}

func (c *cheat) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	if c.starved != nil {
		return c.starved(c, t, run)
	}
	return c.Strategy.Starved(t, run)
}

func (c *cheat) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	if c.next != nil {
		return c.next(c, t, dev)
	}
	return c.Strategy.Next(t, dev)
}

// cheating is the strategy "cheat" of the next system that is made.
var cheating cheat

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "cheat",
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			base, err := dispatch.LookupStrategy("host-lock")
			if err != nil {
				return nil, err
			}
			c := cheating
			c.h = h
			c.Strategy, err = base.New(h)
			return &c, err
		},
	})
}

func newSystem(t testing.TB, strategy, driver string) (*sim.Sim, *dispatch.System) {
	t.Helper()
	m, err := sim.New(sim.Config{Cores: 2, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: driver})
	require.NoError(t, err)
	return m, sys
}

// TestWorkCannotBeSkipped: a strategy that leaves out a section's work, or does
// it twice, is named.
func TestWorkCannotBeSkipped(t *testing.T) {
	for _, c := range []struct {
		name  string
		cheat cheat
		verb  string // that breaks a rule
	}{
		{"dispatch", cheat{call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
			return c.h.QueueCommand(t, cmd)
		}}, "Call"},
		{"twice", cheat{call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
			c.h.DispatchBody(t, cmd)
			return c.Strategy.Call(t, cmd)
		}}, "Call"},
		{"driver twice", cheat{call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
			c.Strategy.Call(t, cmd)
			return c.h.QueueCommand(t, cmd)
		}}, "Call"},
		{"unbusy", cheat{release: func(*cheat, *machine.Thread, *dispatch.Command) {}},
			"Release"},
		{"run queue", cheat{starved: func(*cheat, *machine.Thread, *dispatch.Run) *dispatch.Device { return nil }},
			"Starved"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cheating = c.cheat
			m, sys := newSystem(t, "cheat", "mptsas")
			m.Go("one", 0, false, func(th *machine.Thread) {
				_ = sys.NewIssuer(th).Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
				th.Sleep(time.Second)
			})
			_, err := m.Run(context.Background(), machine.Course{Duration: 10 * time.Millisecond})
			var panicked *machine.Panicked
			require.ErrorAs(t, err, &panicked)
			broken, ok := panicked.Value.(*dispatch.Broken)
			require.True(t, ok, "%v", panicked.Value)
			require.Equal(t, []string{"cheat", c.verb}, []string{broken.Strategy, broken.Verb})
			require.Regexp(t, `^path_test.go:\d+$`, broken.Place)
		})
	}
}

// TestFaultsAreSeen: the ledger and the limits are counted where a strategy
// cannot reach.
func TestFaultsAreSeen(t *testing.T) {
	t.Run("lost", func(t *testing.T) {
		cheating = cheat{call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
			c.h.DispatchBody(t, cmd)
			return dispatch.Accepted // and nobody has it
		}}
		m, sys := newSystem(t, "cheat", "mptsas")
		m.Go("one", 0, false, func(th *machine.Thread) {
			_ = sys.NewIssuer(th).Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
		})
		_, err := m.Run(context.Background(), machine.Course{Duration: time.Millisecond, Drain: time.Millisecond})
		require.Error(t, err)
		require.EqualValues(t, 1, sys.Ledger().Lost)
	})
	t.Run("twice", func(t *testing.T) {
		cheating = cheat{call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
			c.h.DispatchBody(t, cmd)
			cmd.Done(t)
			cmd.Done(t)
			return dispatch.Accepted
		}}
		m, sys := newSystem(t, "cheat", "mptsas")
		m.Go("one", 0, false, func(th *machine.Thread) {
			_ = sys.NewIssuer(th).Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
			th.Sleep(2 * time.Millisecond)
		})
		_, err := m.Run(context.Background(), machine.Course{Duration: time.Millisecond})
		require.NoError(t, err)
		l := sys.Ledger()
		require.EqualValues(t, 1, l.Duplicates)
		require.EqualValues(t, 1, l.Completed)
	})
	t.Run("over a limit", func(t *testing.T) {
		// A strategy that forgets its counters by giving slots back early.
		cheating = cheat{
			call: func(c *cheat, t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
				c.Strategy.Release(t, cmd)
				return c.Strategy.Call(t, cmd)
			},
			release: func(*cheat, *machine.Thread, *dispatch.Command) {},
		}
		m, err := sim.New(sim.Config{Cores: 2, Costs: sim.DefaultCosts()})
		require.NoError(t, err)
		p, err := dispatch.NewParams("mptsas")
		require.NoError(t, err)
		require.NoError(t, p.Set("host.can_queue", "2"))
		sys, err := dispatch.New(m, dispatch.Config{Strategy: "cheat", Driver: "mptsas", Params: p})
		require.NoError(t, err)
		m.Go("one", 0, false, func(th *machine.Thread) {
			iss := sys.NewIssuer(th)
			var rqs []*dispatch.Request
			for range 5 {
				rq := iss.Request(sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
				rqs = append(rqs, rq)
				iss.Submit(th, rq)
			}
			for _, rq := range rqs {
				_ = iss.Wait(th, rq)
			}
		})
		_, _ = m.Run(context.Background(), machine.Course{Duration: 10 * time.Millisecond})
		v := sys.LimitViolations()
		require.Len(t, v, 1)
		require.Equal(t, tally.LimitCheck{What: "host 0 can_queue", Limit: 2, Max: 5, Over: 3}, v[0])
	})
}

// TestSteadyStateAllocatesNothing: once an issuer has the requests that it
// needs, a command costs no memory. What the simulated machine allocates for
// itself is little, and allowed for.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, strategy := range []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"} {
		t.Run(strategy, func(t *testing.T) {
			m, sys := newSystem(t, strategy, "mptsas")
			var before, after runtime.MemStats
			const n = 2000
			m.Go("one", 0, false, func(th *machine.Thread) {
				iss := sys.NewIssuer(th)
				round := func() { _ = iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil) }
				for range n { // every cell of every ring has been used once
					round()
				}
				runtime.ReadMemStats(&before)
				for range n {
					round()
				}
				runtime.ReadMemStats(&after)
				for !m.Stopping() {
					th.Sleep(time.Second)
				}
			})
			_, err := m.Run(context.Background(), machine.Course{Duration: 10 * time.Second})
			require.NoError(t, err)
			require.Less(t, float64(after.Mallocs-before.Mallocs)/n, 0.1)
		})
	}
}

// TestTheFourPathsAreOnTheStack: profiles must show the names that an engineer
// looks for.
func TestTheFourPathsAreOnTheStack(t *testing.T) {
	m, sys := newSystem(t, "host-lock", "mptsas")
	m.Go("one", 0, false, func(th *machine.Thread) {
		iss := sys.NewIssuer(th)
		for !m.Stopping() {
			_ = iss.Do(th, sys.Devices()[0], dispatch.Write, 0, 8, 1, nil)
		}
	})
	a, err := m.Run(context.Background(), machine.Course{Duration: 20 * time.Millisecond})
	require.NoError(t, err)
	names, sections := map[string]bool{}, map[string]bool{}
	for _, s := range a.Samples {
		sections[s.Section] = true
		frames := runtime.CallersFrames(s.Stack)
		for {
			f, more := frames.Next()
			names[f.Function] = true
			if !more {
				break
			}
		}
	}
	for _, n := range []string{"(*Device).RequestFn", "(*Host).DispatchCmd", "(*Host).DeviceUnbusy", "(*Host).RunQueue"} {
		require.True(t, names["hostlock/dispatch."+n], n)
	}
	for _, n := range append(slices.Clone(results.Functions), "__make_request", "mptsas_qcmd", "mpt_interrupt", "scsi_io_completion") {
		require.True(t, sections[n], n)
	}
}
