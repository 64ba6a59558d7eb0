package predict_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/designs"
	"hostlock/lockload"
	"hostlock/locks"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/predict"
	"hostlock/record"
)

func costs() (sim.Costs, sim.GoCosts) {
	p := param.New()
	p.Declare(sim.Params()...)
	p.Declare(sim.GoParams()...)
	c := sim.CostsFrom(p)
	c.Switch, c.Slice = p.Duration("go.switch"), sim.GoSlice
	return c, sim.GoCostsFrom(p)
}

// program is a load that the simulator runs in place of a user's program.
func program(t *testing.T, design string, cores int, hold, think time.Duration, shape machine.Shape) *lockload.Point {
	t.Helper()
	d, err := designs.Lookup(design)
	require.NoError(t, err)
	k, err := locks.Lookup("mutex")
	require.NoError(t, err)
	c := lockload.Config{
		Design: d, Kind: k, Cores: cores, Seed: 99, Duration: 200 * time.Millisecond,
		Load: lockload.Load{
			Hold:    lockload.Dist{Dist: machine.Dist{Mean: hold, Shape: machine.Lognormal, CV: 0.3}},
			Think:   lockload.Dist{Dist: machine.Dist{Mean: think, Shape: shape, CV: 0.1}},
			Threads: 8, Keys: 1024,
		},
	}
	c.Costs, c.Go = costs()
	p, err := lockload.Run(context.Background(), c)
	require.NoError(t, err)
	return p
}

// recorded is the record that such a program would leave.
func recorded(p *lockload.Point, hold time.Duration) *record.Record {
	used := p.Utilization
	h := float64(hold)
	return &record.Record{
		Schema: 1, Procs: p.Cores, Seconds: 10, CPUSeconds: p.CPU / 100 * float64(p.Cores) * 10,
		Locks: []record.Lock{{
			Site: "main.work main.go:10", Lock: "main.work main.go:10", Function: "main.work", File: "main.go", Line: 10,
			Kind: "mutex", Instances: 1, Acquisitions: uint64(p.OpsPerS * 10), Contended: uint64(p.OpsPerS * 10 * p.Met / 100),
			Hold: &record.Times{Mean: h, P50: h, P99: 2 * h}, WaitTotalNs: p.Wait.Mean * p.OpsPerS * 10,
			HottestUtilizationPct: &used, Goroutines: p.Threads,
		}},
	}
}

func model(t *testing.T, r *record.Record) *predict.Model {
	t.Helper()
	c, g := costs()
	m, err := predict.NewModel(r, "", c, g)
	require.NoError(t, err)
	return m
}

func request(t *testing.T, names ...string) predict.Request {
	t.Helper()
	q := predict.Request{Workers: 2}
	for _, n := range names {
		d, err := designs.Lookup(n)
		require.NoError(t, err)
		q.Designs = append(q.Designs, d)
	}
	return q
}

// What a program does on more cores lies within the range that its record on two
// gives, where the program is one that the model can be: the method's own closed
// loop, which proves the arithmetic, and not the simulator.
func TestClosedLoop(t *testing.T) {
	for name, c := range map[string]struct {
		hold, think time.Duration
		shape       machine.Shape
	}{
		"mostly free":       {500 * time.Nanosecond, 20 * time.Microsecond, machine.Exponential},
		"soon at its limit": {2 * time.Microsecond, 10 * time.Microsecond, machine.Exponential},
		"regular":           {time.Microsecond, 9 * time.Microsecond, machine.Lognormal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			today := program(t, "one", 2, c.hold, c.think, c.shape)
			p, err := model(t, recorded(today, c.hold)).Predict(t.Context(), request(t, "one", "shards"))
			require.NoError(t, err)
			for _, s := range p.SelfCheck {
				assert.True(t, s.OK, "%s: recorded %v, predicted %v", s.Figure, s.Recorded, s.Predicted)
			}
			require.False(t, p.BoundsOnly)
			require.Len(t, p.Predictions, 6)
			for _, r := range p.Predictions {
				found := program(t, r.Design, r.Cores, c.hold, c.think, c.shape).OpsPerS
				assert.LessOrEqual(t, r.Range.Low, found*1.02, "%s on %d", r.Design, r.Cores)
				assert.GreaterOrEqual(t, r.Range.High, found*0.98, "%s on %d", r.Design, r.Cores)
				if r.Design == "one" {
					assert.LessOrEqual(t, found, p.Bound.PerS*1.01)
				}
			}
			assert.NotEmpty(t, p.UnknownWords)
		})
	}
}

// Where the record contradicts the model, only bounds are given, and the first
// sentence says why.
func TestAModelThatMissesGivesBoundsOnly(t *testing.T) {
	today := program(t, "one", 2, 2*time.Microsecond, 10*time.Microsecond, machine.Exponential)
	r := recorded(today, 2*time.Microsecond)
	r.Locks[0].WaitTotalNs *= 10
	p, err := model(t, r).Predict(t.Context(), request(t, "one"))
	require.NoError(t, err)
	assert.True(t, p.BoundsOnly)
	assert.Empty(t, p.Predictions)
	assert.Contains(t, p.Words, "Bounds only")
	assert.Positive(t, p.Bound.PerS)
}

// A program whose processors are idle is bound by its load.
func TestAnIdleProgramIsOpen(t *testing.T) {
	r := &record.Record{Schema: 1, Procs: 2, Seconds: 10, CPUSeconds: 2, Locks: []record.Lock{{
		Site: "a b.go:1", Lock: "a b.go:1", Kind: "mutex", Acquisitions: 1000, Instances: 1, Hold: &record.Times{Mean: 1e5, P50: 1e5, P99: 1e5},
	}}}
	p, err := model(t, r).Predict(t.Context(), request(t, "one"))
	require.NoError(t, err)
	assert.True(t, p.Open)
	assert.True(t, p.BoundsOnly)
	assert.InEpsilon(t, 1e9/(1e5+48), p.Bound.PerS, 1e-6)
}

// Further than four times the recorded processors there are bounds only.
func TestFarAwayIsNoPrediction(t *testing.T) {
	today := program(t, "one", 2, 500*time.Nanosecond, 20*time.Microsecond, machine.Exponential)
	q := request(t, "one")
	q.Cores = []int{16}
	p, err := model(t, recorded(today, 500*time.Nanosecond)).Predict(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, p.Predictions, 1)
	assert.NotEmpty(t, p.Predictions[0].None)
	assert.Zero(t, p.Predictions[0].Range.Mid)
}

func TestModelRefuses(t *testing.T) {
	c, g := costs()
	lock := record.Lock{Site: "a b.go:1", Lock: "a b.go:1", Kind: "mutex", Acquisitions: 10}
	full := record.Record{Schema: 1, Procs: 2, Seconds: 1, CPUSeconds: 1, Locks: []record.Lock{lock}}
	_, err := predict.NewModel(&full, "", c, g)
	require.ErrorIs(t, err, predict.ErrNoHolds)
	_, err = predict.NewModel(&full, "other.go:3", c, g)
	require.ErrorIs(t, err, predict.ErrNoLock)
	none := record.Record{Schema: 1, Locks: []record.Lock{lock}}
	_, err = predict.NewModel(&none, "", c, g)
	require.ErrorIs(t, err, predict.ErrRates)
}

// The ledger keeps misses as it keeps hits.
func TestLedger(t *testing.T) {
	p := &predict.Prediction{Lock: "a b.go:1", Predictions: []predict.Row{{Design: "shards", Cores: 2, Range: predict.Range{Low: 90, Mid: 100, High: 110}}}}
	file := filepath.Join(t.TempDir(), "ledger.csv")
	for _, n := range []uint64{105, 150} {
		after := &record.Record{Procs: 2, Seconds: 1, Locks: []record.Lock{{Site: "a b.go:1", Acquisitions: n}}}
		o, err := p.Check(after, "", "shards")
		require.NoError(t, err)
		assert.Equal(t, n == 105, o.Within)
		require.NoError(t, o.Append(file))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 3)
	assert.True(t, strings.HasSuffix(lines[1], ",105,true"), lines[1])
	assert.True(t, strings.HasSuffix(lines[2], ",150,false"), lines[2])
}

func FuzzRecord(f *testing.F) {
	today := &lockload.Point{Cores: 2, Threads: 8, OpsPerS: 1e5, CPU: 90, Utilization: 50, Met: 10}
	text, err := json.Marshal(recorded(today, 1000))
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"schema":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := record.Decode(text)
		if err != nil {
			require.ErrorIs(t, err, record.ErrFormat)
			return
		}
		c, g := costs()
		_, _ = predict.NewModel(r, "", c, g)
	})
}
