package lab

import (
	"context"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/results"
)

// liveFake is a run on this computer that has been measured, and the
// simulation that is to stand beside it.
func liveFake(asked *[]experiment.Request) experiment.Runner {
	return func(_ context.Context, p *experiment.Plan, _ experiment.Options) (*results.Result, error) {
		*asked = append(*asked, p.Request())
		table, err := results.LookupPublished(p.Spec().Source)
		if err != nil {
			return nil, err
		}
		r := &results.Result{Experiment: results.Identity{Name: p.Spec().Name, Strategy: "host-lock", Machine: "live", Cores: 2, Duration: 20}}
		r.CPU.HostLock = 24.5
		r.CPU.HostLockByFunction.Set("scsi_request_fn", 24.5)
		if !p.Live() {
			r.Experiment.Machine, r.Experiment.Cores = "sim", 64
			r.Published = table.Compare("before", r, nil)
			return r, nil
		}
		r.Live = &results.Live{Scale: 9.9, Samples: 4000, Rate: 100, Kind: "tas", Neighbour: "other processes: unknown", Derivation: []string{"formula"}}
		r.Published = table.CompareLive("before", r, nil)
		return r, nil
	}
}

func TestTheHeadlineIsLiveAndHasThreeColumns(t *testing.T) {
	var asked []experiment.Request
	o := try(liveFake(&asked), "run", "--strategy", "host-lock")
	require.Zero(t, o.status, o.stderr)
	require.Len(t, asked, 2)
	assert.Equal(t, "sim", asked[1].Machine, "the published machine is simulated beside it")
	assert.Contains(t, o.stdout, "mechanism, not reproduction")
	assert.Contains(t, o.stdout, "simulated, 64 cores  this computer, 2 cores")
	assert.Contains(t, o.stdout, "24.50 ±0.68")
	assert.Contains(t, o.stdout, "time scale 9.90")
	assert.NotContains(t, o.stdout, "before.iops", "no rate stands beside a published one")
	assert.Regexp(t, `cores will be busy for about \d+s; Ctrl-C keeps`, o.stderr)
}

func TestLiveRefusesOtherCoreCounts(t *testing.T) {
	other := strconv.Itoa(runtime.GOMAXPROCS(0) + 1)
	for _, args := range [][]string{{"run", "--cores", other}, {"run", "--machine", "live", "--cores", other}} {
		o := try(never(t), args...)
		assert.Equal(t, 2, o.status)
		assert.Len(t, o.lines(), 1)
		assert.Contains(t, o.stderr, "or --machine sim")
	}
}

func TestCostTablesAreRead(t *testing.T) {
	f := &fake{}
	costs := file(t, "costs.toml", "[[parameter]]\nname = \"cost.rmw\"\nvalue = \"9ns\"\nsource = \"here\"\n")
	require.Zero(t, try(f.run, "run", "--machine", "sim", "--costs", costs).status)
	assert.Equal(t, "9ns", f.asked[0].Costs[0].Value)
	for text, want := range map[string]string{
		"cores = 2\n": "costs.toml:1: unknown key \"cores\" in a cost table",
		"[[parameter]]\nname = \"cost.rmw\"\nvalue = \"-1ns\"\n": "costs.toml:3: cost.rmw=-1ns",
		"[[parameter]]\nname = \"fs.cpu\"\nvalue = \"1ns\"\n":    "unknown parameter \"fs.cpu\"",
		"# nothing\n": "no [[parameter]] in this cost table",
	} {
		o := try(never(t), "run", "--machine", "sim", "--costs", file(t, "costs.toml", text))
		assert.Equal(t, 2, o.status, text)
		assert.Contains(t, o.stderr, want)
	}
	assert.Equal(t, 2, try(never(t), "run", "--costs", "nowhere.toml").status)
}
