package derive

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"hostlock/experiment/spec"
	"hostlock/machine/computer"
	"hostlock/machine/param"
	"hostlock/results"
)

// AgreeWithin is how near, in points, simulated and measured shares are
// expected to lie.
const AgreeWithin = 3

// SimVsLiveOptions are what [SimVsLive] is asked for.
type SimVsLiveOptions struct {
	Shares []float64     // settings of the load, by the share that the slower strategy is to show; nil is 10, 20, 30, 40
	Each   time.Duration // of a live run's window; 0 is 8 s
	Pairs  int           // of live runs a setting; 0 is 1
	// Costs are the simulated machine's; nil measures them in half a second.
	Costs    []param.Setting
	Progress func(what string, done float64)
}

func (o *SimVsLiveOptions) complete() {
	if len(o.Shares) == 0 {
		o.Shares = []float64{10, 20, 30, 40}
	}
	if o.Each <= 0 {
		o.Each = 8 * time.Second
	}
	if o.Pairs <= 0 {
		o.Pairs = 1
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
}

// Estimate is about how long [SimVsLive] will keep this computer busy.
func (o SimVsLiveOptions) Estimate() time.Duration {
	o.complete()
	p := PairOptions{Pairs: o.Pairs, Each: o.Each, Derivation: &Derivation{}}
	return Time + time.Duration(len(o.Shares))*(Time+p.Estimate())
}

// Agreement is one setting of the load in virtual time and on this computer.
type Agreement struct {
	Share     float64 // that the load was derived for
	Simulated Targets
	Live      Targets
	StdErr    float64 // of Live.Before, sampling alone
	Others    float64 // other processes' CPU, the most of the runs
}

// SimVsLive runs the same experiment, parameter by parameter, on the simulated
// machine with this computer's core count and costs, and on this computer,
// over several settings of the load. What was measured before ctx ended comes
// with its error.
func SimVsLive(ctx context.Context, e *spec.Spec, opts SimVsLiveOptions) ([]Agreement, error) {
	opts.complete()
	if err := derivableOn(e, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	if opts.Costs == nil {
		opts.Costs = QuickCosts(ctx)
	}
	base, err := Derive(ctx, e, runtime.GOMAXPROCS(0), opts.Costs)
	if err != nil {
		return nil, err
	}
	var out []Agreement
	for i, share := range opts.Shares {
		d, err := base.At(ctx, e, share)
		if err != nil {
			return out, err
		}
		pairs, err := LivePairs(ctx, e, PairOptions{
			Pairs: opts.Pairs, Each: opts.Each, Derivation: d,
			Progress: func(what string, done float64) {
				opts.Progress(fmt.Sprintf("%g %%, %s", share, what), (float64(i)+done)/float64(len(opts.Shares)))
			},
		})
		if err != nil {
			return out, err
		}
		m, err := pairs.Medians()
		if err != nil {
			return out, err
		}
		last := pairs.Runs[len(pairs.Runs)-1].Before
		out = append(out, Agreement{
			Share: share, Simulated: d.Simulated, Live: m, StdErr: last.Live.StdErr(m.Before), Others: pairs.Neighbours(),
		})
	}
	return out, nil
}

// AgreementTable is the settings side by side, disagreement and all.
func AgreementTable(rows []Agreement) results.Table {
	t := results.Table{
		Title: fmt.Sprintf("the same experiment in virtual time and on this computer, %d cores", runtime.GOMAXPROCS(0)),
		Head: []string{"load derived for", "share simulated, %", "share live, %", "apart, points",
			"gain simulated, %", "gain live, %", "apart, points", "after simulated, %", "after live, %", "others' CPU"},
		Align: "rrrrrrrrrr",
	}
	worst := 0.0
	noisy, disturbed := false, false
	for _, a := range rows {
		apart := a.Live.Before - a.Simulated.Before
		worst = max(worst, max(apart, -apart))
		noisy = noisy || a.Others > computer.NeighbourLimit
		live := fmt.Sprintf("%s ±%s", results.Number(a.Live.Before), results.Number(a.StdErr))
		if a.Others > computer.DisturbedLimit {
			disturbed, live = true, results.Number(a.Live.Before)+" disturbed"
		}
		t.Rows = append(t.Rows, []string{
			fmt.Sprintf("%g %%", a.Share), results.Number(a.Simulated.Before),
			live, fmt.Sprintf("%+.2f", apart),
			results.Number(a.Simulated.Gain), results.Number(a.Live.Gain), fmt.Sprintf("%+.2f", a.Live.Gain-a.Simulated.Gain),
			results.Number(a.Simulated.After), results.Number(a.Live.After), results.Number(a.Others),
		})
	}
	word := "agree"
	if worst > AgreeWithin {
		word = "DISAGREE"
	}
	t.Lines = []string{fmt.Sprintf("%s: at most %.1f points apart, where %d are allowed; after is under unlocked-qcmds, gain that strategy's I/O per second over host-lock's", word, worst, AgreeWithin)}
	switch {
	case disturbed:
		t.Lines = append(t.Lines, fmt.Sprintf("DISTURBED: other processes took more than %.2f CPU in at least one run: its figures cannot be trusted, and so not this verdict; measure again on a quiet computer", computer.DisturbedLimit))
	case noisy:
		t.Lines = append(t.Lines, fmt.Sprintf("other processes took more than %.2f CPU in at least one run: measure again on a quiet computer", computer.NeighbourLimit))
	}
	return t
}
