package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment/sweep"
	"hostlock/results"
)

// whatifFlags are what `lab whatif` was asked for.
type whatifFlags struct {
	req      sweep.Request
	strategy string
	format   string
}

// Three seeds tell a gain from noise.
const whatifSeeds = "1..3"

// whatifCommand is `lab whatif`.
func (a *app) whatifCommand() *cobra.Command {
	f := whatifFlags{
		req: sweep.Request{Experiment: defaultExperiment}, strategy: "host-lock,unlocked-qcmds", format: "text",
	}
	cmd := &cobra.Command{
		Use:   "whatif [--set NAME=VALUE] [flags]",
		Short: "one line: does the patch still pay under other parameters?",
		Long: `Runs the same experiment under host-lock and under unlocked-qcmds, each with
three seeds in virtual time, and answers in one line: host-lock share and IOPS
before and after, and whether the change pays. --strategy compares two others.

It pays where it gains 1 % of IOPS or more, and three standard deviations over
the seeds. A parameter with several values gets a line each.`,
		Example: `  lab whatif --set mptsas.queuecommand=1us
  lab whatif --set mptsas.queuecommand=0.5us..12us      where the gain appears
  lab whatif --cores 128 --weak --set hbas=1
  lab whatif --set lock.host_lock=queued                would a scalable lock have done?
  lab whatif --strategy unlocked-qcmds,ring`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runWhatif(cmd.Context(), &f) },
	}
	r := &f.req
	grouped(cmd, "What runs:", func(fs *pflag.FlagSet) {
		fs.Var(settings{&r.Set}, "set", "a parameter's `NAME=VALUE`; may be repeated")
		fs.Var(word{&f.strategy, "A,B"}, "strategy", "before and after")
		fs.Var(word{&r.Experiment, "NAME|FILE"}, "experiment", "what is run (lab list experiments), or a file")
		fs.Var(word{&r.Workload, "NAME|FILE"}, "workload", "who issues I/O, in place of the experiment's")
		fs.Var(word{&r.Driver, "NAME"}, "driver", "low-level driver, in place of the experiment's")
		fs.Var(word{&r.Cores, "N"}, "cores", "cores of the simulated machine; the experiment's own without it")
		fs.BoolVar(&r.Weak, "weak", false, "let the load grow with the cores")
		fs.Var(duration{to: &r.Duration}, "duration", "how long to measure, in virtual time; 8 core-seconds without it")
		r.Seeds = whatifSeeds
		fs.Var(word{&r.Seeds, "A,B"}, "seeds", "what random numbers derive from; the answer is of the means")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.format, "NAME"}, "format", "text or json")
	})
	completeFlags(cmd)
	complete(cmd, "format", fixed("text", "json"))
	return cmd
}

// answer is one line of `lab whatif`.
type answer struct {
	Experiment string     `json:"experiment"`
	Parameters string     `json:"parameters"` // "" for the experiment's own
	Cores      int        `json:"cores"`
	Strategies [2]string  `json:"strategies"`
	HostLock   [2]float64 `json:"host_lock_pct"`
	Contention [2]float64 `json:"contention_pct"`
	IOPS       [2]float64 `json:"iops"`
	Gain       float64    `json:"gain_pct"`
	GainSD     float64    `json:"gain_sd"` // over the seeds
	Pays       bool       `json:"pays"`
}

func (a *app) runWhatif(ctx context.Context, f *whatifFlags) error {
	f.req.Strategies = strings.Split(f.strategy, ",")
	switch {
	case f.format != "text" && f.format != "json":
		return usagef("unknown format %q; legal: text, json", f.format)
	case len(f.req.Strategies) != 2:
		return usagef("--strategy %q; legal: two strategies, before and after, such as host-lock,unlocked-qcmds", f.strategy)
	}
	plan, err := sweep.NewPlan(f.req)
	if err != nil {
		return err
	}
	step, done := a.progress("whatif")
	s, err := plan.Run(ctx, sweep.Options{Run: a.run, Progress: step})
	done()
	if err != nil { // an answer from half the runs is none
		return err
	}
	answers := answersOf(s)
	return a.emit("", func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(answers)
		}
		for _, an := range answers {
			fmt.Fprintln(w, an)
		}
		return nil
	})
}

// answersOf pairs the rows of both strategies, in the order of the sweep.
func answersOf(s *results.Sweep) []answer {
	key := func(r *results.SweepRow) string { return fmt.Sprint(r.Cores, r.Set) }
	before := map[string]results.SweepRow{}
	var out []answer
	rows := s.Rows()
	for i := range rows {
		if r := &rows[i]; r.Strategy == s.Definition.Strategies[0] {
			before[key(r)] = *r
		}
	}
	for i := range rows {
		r := &rows[i]
		b, ok := before[key(r)]
		if r.Strategy == s.Definition.Strategies[0] || !ok || r.Gain == nil {
			continue
		}
		var set []string
		for _, kv := range slices.Concat(s.Definition.Set, r.Set) {
			set = append(set, kv.String())
		}
		an := answer{
			Experiment: s.Definition.Experiment,
			Parameters: strings.Join(set, ", "), Cores: r.Cores, Strategies: [2]string{b.Strategy, r.Strategy},
			HostLock: two(b.HostLock, r.HostLock), Contention: two(b.Contention, r.Contention), IOPS: two(b.IOPS, r.IOPS),
			Gain: hundredths(*r.Gain), GainSD: hundredths(r.GainSD),
		}
		an.Pays = an.Gain >= 1 && an.Gain > 3*an.GainSD
		out = append(out, an)
	}
	return out
}

func two(a, b float64) [2]float64 { return [2]float64{hundredths(a), hundredths(b)} }

func hundredths(v float64) float64 { return math.Round(100*v) / 100 }

// String is the answer in one line.
func (an answer) String() string {
	what := an.Parameters
	if what == "" {
		what = an.Experiment + " as it is"
	}
	verdict := "does not pay"
	switch {
	case an.Pays:
		verdict = "pays"
	case an.Gain <= -1 && -an.Gain > 3*an.GainSD:
		verdict = "costs"
	}
	return fmt.Sprintf("%s, %s: %s -> %s: host-lock share %.1f -> %.1f %%, IOPS %.0f -> %.0f, gain %+.1f %%: it %s (simulated)",
		what, results.Count(an.Cores, "core"), an.Strategies[0], an.Strategies[1], an.HostLock[0], an.HostLock[1], an.IOPS[0], an.IOPS[1], an.Gain, verdict)
}
