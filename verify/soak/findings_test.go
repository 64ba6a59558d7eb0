package soak_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/internal/planted"
	"hostlock/machine"
	"hostlock/verify/soak"
)

// A spoilt strategy is per-queue with a fault. Wrapped, it is no
// dispatch.Recoverer any more.
func init() {
	for name, spoil := range map[string]func(dispatch.Strategy) dispatch.Strategy{
		"soak/leaks": func(s dispatch.Strategy) dispatch.Strategy { return &leaks{Strategy: s} },
		"soak/loses": func(s dispatch.Strategy) dispatch.Strategy { return &loses{s} },
	} {
		dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: name, New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			info, err := dispatch.LookupStrategy("per-queue")
			if err != nil {
				return nil, err
			}
			s, err := info.New(h)
			if err != nil {
				return nil, err
			}
			return spoil(s), nil
		}})
	}
}

// leaks remembers something of every command.
type leaks struct {
	dispatch.Strategy
	list atomic.Pointer[leaked]
}

type leaked struct {
	next *leaked
	_    [56]byte
}

func (s *leaks) End(t *machine.Thread, cmd *dispatch.Command) {
	n := &leaked{next: s.list.Load()}
	for !s.list.CompareAndSwap(n.next, n) {
		n.next = s.list.Load()
	}
	s.Strategy.End(t, cmd)
}

// loses forgets what was refused.
type loses struct{ dispatch.Strategy }

func (s *loses) Requeue(*machine.Thread, *dispatch.Command) {}

// find soaks a spoilt strategy, and returns what was found, printed.
func find(t *testing.T, cfg soak.Config) string {
	t.Helper()
	r, err := soak.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NotEmpty(t, r.Problems)
	var b bytes.Buffer
	require.NoError(t, r.Print(&b))
	if !r.Recovers {
		require.Contains(t, b.String(), "no dispatch.Recoverer")
	}
	return b.String()
}

func TestFindsGrowth(t *testing.T) {
	for _, m := range soak.Machines() {
		t.Run(m, func(t *testing.T) {
			if m == "sim" {
				virtual(t)
			}
			require.Regexp(t, `FOUND: the live heap grew by \d+ KiB`, find(t, soak.Config{Strategy: "soak/leaks", Machine: m, Commands: 30_000}))
		})
	}
}

func TestFindsLoss(t *testing.T) {
	for _, m := range soak.Machines() {
		t.Run(m, func(t *testing.T) {
			text := find(t, soak.Config{Strategy: "soak/loses", Machine: m, Commands: 100_000, Patience: 300 * time.Millisecond})
			require.Regexp(t, `FOUND: no command has come back for 300ms\n`, text)
			require.Regexp(t, `FOUND: the ledger does not close: .* [1-9]\d* lost`, text)
		})
	}
}

func TestFindsBrokenLimit(t *testing.T) {
	virtual(t)
	text := find(t, soak.Config{
		Strategy: "planted/one too many", Machine: "sim", Commands: 20_000, Threads: 16,
		Set: map[string]string{"null.drop_rate": "0.005"},
	})
	require.Regexp(t, `FOUND: host 0 can_queue is 4, and 5 were with the driver`, text)
}

// A run that is cut short says so, and is not held against the strategy.
func TestInterrupted(t *testing.T) {
	for _, m := range soak.Machines() {
		t.Run(m, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			r, err := soak.Run(ctx, soak.Config{Strategy: "ring", Machine: m, Progress: func(r soak.Reading) { cancel() }})
			require.NoError(t, err)
			require.True(t, r.Partial)
			require.Empty(t, r.Problems)
			require.Zero(t, r.Ledger.Lost)
		})
	}
}
