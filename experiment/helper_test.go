package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	_ "hostlock/dispatch/lld"
	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
	_ "hostlock/strategies"
	_ "hostlock/workload/ffsb"
)

func headline(t testing.TB) *spec.Spec {
	t.Helper()
	exp, err := spec.Load("chen-2010")
	require.NoError(t, err)
	return exp
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

// do plans and runs.
func do(ctx context.Context, exp *spec.Spec, r experiment.Request, opts ...experiment.Options) (*results.Result, error) {
	p, err := experiment.NewPlan(exp, r)
	if err != nil {
		return nil, err
	}
	var o experiment.Options
	if len(opts) > 0 {
		o = opts[0]
	}
	return experiment.Run(ctx, p, o)
}
