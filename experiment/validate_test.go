package experiment_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/spec"
)

func TestWhatARequestMayNotSay(t *testing.T) {
	have := runtime.GOMAXPROCS(0)
	for _, good := range []experiment.Request{{}, {Machine: "live", Cores: have}, {Machine: "sim", Cores: 1024, Weak: true}, {Set: settings("fs.cpu=1us")}} {
		_, err := experiment.NewPlan(headline(t), good)
		assert.NoError(t, err, "%+v", good)
	}
	for _, bad := range []struct {
		wrong string // the parameter or flag
		r     experiment.Request
	}{
		{"", experiment.Request{Machine: "gpu"}},
		{"cores", experiment.Request{Machine: "live", Cores: have + 1}},
		{"cores", experiment.Request{Cores: -1}},
		{"cores", experiment.Request{Machine: "sim", Cores: spec.MaxCores + 1}},
		{"threads", experiment.Request{Threads: -1}},
		{"threads", experiment.Request{Threads: spec.MaxThreads + 1}},
		{"duration", experiment.Request{Duration: -1}},
		{"duration", experiment.Request{Duration: 25 * time.Hour}},
		{"duration", experiment.Request{Duration: 1, ProfileDuration: true}},
		{"scale", experiment.Request{Weak: true, Set: settings("scale=2")}},
		{"scale", experiment.Request{Set: settings("scale=NaN")}},
		{"hbas", experiment.Request{Set: settings("hbas=5000")}},
		{"costs", experiment.Request{Machine: "live", Costs: settings("cost.rmw=1ns")}},
		{"strategy", experiment.Request{Strategy: "nope"}},
		{"fs.cpu", experiment.Request{Set: settings("fs.cpu=5")}},
		{"lock.host_lock", experiment.Request{Machine: "sim", Kind: "mutex"}},
	} {
		_, err := experiment.NewPlan(headline(t), bad.r)
		var usage *spec.UsageError
		require.ErrorAs(t, err, &usage, "%+v", bad)
		assert.Equal(t, bad.wrong, usage.Parameter)
		assert.ErrorContains(t, err, "legal: ")
	}
}

// A plan is made once and run as often as one likes.
func TestAPlanDoesNotChange(t *testing.T) {
	p, err := experiment.NewPlan(headline(t), small())
	require.NoError(t, err)
	before := p.Parameters()
	first, err := experiment.Run(t.Context(), p, experiment.Options{})
	require.NoError(t, err)
	again, err := experiment.Run(t.Context(), p, experiment.Options{})
	require.NoError(t, err)
	assert.Equal(t, first.IOPS, again.IOPS)
	assert.Equal(t, before, p.Parameters())
}

// The limit of an HBA that carries a part of the load is that part of its
// driver's own, and the whole of it where whole HBAs were added.
func TestLimitsScaleFromTheTemplate(t *testing.T) {
	for cores, want := range map[int]float64{1: 2, 32: 64, 64: -1, 96: 95, 256: -1} {
		p, err := experiment.NewPlan(headline(t), experiment.Request{Machine: "sim", Cores: cores, Weak: true})
		require.NoError(t, err)
		v, _ := p.Param("host.can_queue")
		assert.Equal(t, want, v.Num, "%d cores", cores)
	}
}

// What the assembled system refuses is said at the place of the parameter that
// it names, and at no other.
func TestARefusalNamesItsParameter(t *testing.T) {
	exp, err := spec.Load("transfer-size")
	require.NoError(t, err)
	_, err = do(t.Context(), exp, experiment.Request{Set: settings("host.sg_tablesize=1025", "host.can_queue=64")})
	var usage *spec.UsageError
	require.ErrorAs(t, err, &usage)
	assert.Equal(t, "host.sg_tablesize", usage.Parameter)
	assert.Equal(t, "--set", usage.At.Flag)

	exp, err = spec.Parse("f.toml", append(exp.FileText(), "\n[[parameter]]\nname = \"midlayer.large_sg\"\nvalue = false\n"...))
	if err == nil {
		_, err = do(t.Context(), exp, experiment.Request{})
	}
	require.ErrorAs(t, err, &usage)
	assert.Equal(t, "f.toml", usage.At.File)
}
