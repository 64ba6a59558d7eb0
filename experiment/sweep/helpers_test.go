package sweep

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
	_ "hostlock/strategies"
	_ "hostlock/workload/ffsb"
)

// pretend is a run that gives figures at once, which depend on everything that
// was asked for, and counts.
type pretend struct {
	mu    sync.Mutex
	asked []experiment.Request
	fail  func(n int, r experiment.Request) error // n counts from 1
}

func (f *pretend) run(_ context.Context, p *experiment.Plan, _ experiment.Options) (*results.Result, error) {
	o := p.Request()
	f.mu.Lock()
	f.asked = append(f.asked, o)
	n := len(f.asked)
	f.mu.Unlock()
	if f.fail != nil {
		if err := f.fail(n, o); err != nil {
			return nil, err
		}
	}
	h := 0
	for _, c := range fmt.Sprint(o.Set, o.Strategy) {
		h = (31*h + int(c)) % 997
	}
	return &results.Result{
		Experiment: results.Identity{Name: p.Spec().Name, Strategy: o.Strategy, Cores: o.Cores, Threads: 2 * o.Cores},
		IOPS:       1000*float64(o.Cores) + float64(h) + float64(o.Seed.N)/3,
		CPU:        results.CPU{Busy: 50, HostLock: float64(o.Cores) / 7, Contention: float64(o.Cores) / 6},
		Latency:    results.Latency{P50: 900, P99: 2000},
	}, nil
}

// request is a small sweep of 2 strategies, 3 core counts, 2 values, 2 seeds.
func request() Request {
	return Request{
		Experiment: "chen-2010", Strategies: []string{"host-lock", "ring"}, Cores: "1..4", Weak: true,
		Set: settings("hbas=1", "mptsas.queuecommand=1us,2us"), Seeds: "1,2",
	}
}

const requestPoints = 24

func planOf(t *testing.T, r Request) *Plan {
	t.Helper()
	p, err := NewPlan(r)
	require.NoError(t, err)
	return p
}

func text(t *testing.T, s *results.Sweep) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, s.WriteJSON(&b))
	return b.String()
}

// settings reads "name=value" texts.
func settings(texts ...string) []param.Setting {
	var out []param.Setting
	for _, text := range texts {
		v, err := param.ParseSetting(text)
		if err != nil {
			panic(err)
		}
		out = append(out, v)
	}
	return out
}
