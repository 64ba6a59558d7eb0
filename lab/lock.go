package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/designs"
	"hostlock/experiment/spec"
	"hostlock/experiment/sweep"
	"hostlock/files"
	"hostlock/lockload"
	"hostlock/locks"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results/plot"
)

// lockFlags are what `lab lock` was asked for.
type lockFlags struct {
	hold, think    string
	cores          string
	kinds, designs string
	threads        int
	rate           float64
	read           string
	keys           int
	zipf           float64
	lines, parts   int
	machine        string
	sockets        int
	costs          string
	set            []param.Setting
	seed           uint64
	duration       time.Duration
	format, output string
	plot           string
	full           bool
}

const maxKeys = 1 << 20

// lockCommand is `lab lock`.
func (a *app) lockCommand() *cobra.Command {
	f := lockFlags{
		hold: "200ns", think: "1us", cores: "1..64", kinds: "ticket,queued,mutex", designs: "one,shards",
		machine: "sim", keys: 1024, seed: 1, read: "0%",
	}
	cmd := &cobra.Command{
		Use:   "lock --hold TIME --think TIME --cores LIST [flags]",
		Short: "what any lock gives on any number of cores, and what another design would give",
		Long: `Runs threads that take a lock, hold it, release it, and do something else, and
says on how many cores that peaks, what bounds it, and which design is faster.

Times in virtual time come from the cost table; --machine live runs the same on
this computer, with Go's own locks for mutex and rwmutex.

A time scatters by a tenth (200ns), or is exact (fixed:200ns), or random: exp:200ns, uniform:200ns, lognormal:200ns:2
with its coefficient of variation, or hist:100ns=90,2us=10 with weights.

Exit status: 0 done; 1 a run failed, or lost a write; 2 the request was wrong;
130 interrupted, and the points that were done are kept, marked partial.`,
		Example: `  lab lock --hold 200ns --think 1.5us --cores 1..64
  lab lock --hold 3us --think 50us --cores 16,32,64 --kind mutex --design one,shards --parts 8
  lab lock --hold 500ns --read 95% --kind mutex --design one,readers,copy,counters --cores 1..64
  lab lock --hold 1us --think 1us --cores 2 --kind mutex --machine live
  lab lock --hold exp:300ns --rate 500000 --cores 4..32 --design all --format csv`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runLock(cmd.Context(), &f) },
	}
	f.define(cmd)
	return cmd
}

func (f *lockFlags) define(cmd *cobra.Command) {
	grouped(cmd, "What the threads do:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.hold, "TIME"}, "hold", "how long the lock is held")
		fs.Var(word{&f.think, "TIME"}, "think", "what a thread does between two operations")
		fs.Var(count[int]{to: &f.threads, max: spec.MaxThreads}, "threads", "how many there are; one a core without it")
		fs.Var(number{&f.rate}, "rate", "operations a second that arrive, in place of the pauses; a closed loop without it")
		fs.Var(word{&f.read, "PCT"}, "read", "share of operations that only read")
		fs.Var(count[int]{to: &f.keys, max: maxKeys}, "keys", "keys that the operations are about")
		fs.Var(number{&f.zipf}, "zipf", "exponent, more than 1, by which some keys are asked more often; all alike without it")
		fs.Var(count[int]{to: &f.lines, max: 1024}, "data", "cache lines that each hold writes, or reads; none without it")
	})
	grouped(cmd, "What guards it:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.kinds, "A,B"}, "kind", "lock algorithms (lab list locks), or all")
		fs.Var(word{&f.designs, "A,B"}, "design", "designs (lab list designs), or all; the first one is what the answer is about")
		fs.Var(count[int]{to: &f.parts, max: 4096}, "parts", "how many shards there are, or writes in a batch; 16 and 8 without it")
	})
	grouped(cmd, "Where:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.cores, "A,B"}, "cores", "cores; 1..64 doubles")
		fs.Var(choice{&f.machine, []string{"sim", "live"}}, "machine", "virtual time, or this computer")
		fs.Var(count[int]{to: &f.sockets, max: spec.MaxCores}, "sockets", "of the simulated machine; one a 16 cores without it, as the default cost table's machine has")
		fs.Var(word{&f.costs, "NAME|FILE"}, "costs", "cost table of the simulated machine (lab list costs), or a file of one, in place of the default")
		fs.Var(settings{&f.set}, "set", "a cost's `NAME=VALUE`, such as cost.same_socket=60ns or go.wake=8us. May be repeated")
		fs.Uint64Var(&f.seed, "seed", f.seed, "what all random numbers derive from")
		fs.Var(duration{to: &f.duration}, "duration", "how long each point measures; as long as 20,000 operations take without it, 200 ms on live")
	})
	outFlags(cmd, &f.format, &f.output, "text", "json", "csv")
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.plot, "FILE"}, "plot", "draw a chart there, .svg or .png; none without it")
		fs.BoolVar(&f.full, "full", false, "every figure of every point")
	})
	complete(cmd, "kind", func() []string { return append(locks.Names(), "all") })
	complete(cmd, "machine", fixed("sim", "live"))
	completeFile(cmd, "costs", completeKind("costs"))
	complete(cmd, "design", func() []string { return append(designs.Names(), "all") })
}

// resolve checks the whole request.
func (f *lockFlags) resolve() (*lockload.Plan, string, []string, error) {
	p := &lockload.Plan{Workers: runtime.GOMAXPROCS(0)}
	b := &p.Base
	fail := func(err error) (*lockload.Plan, string, []string, error) { return nil, "", nil, usage(err) }
	var err error
	if b.Hold, err = lockload.ParseTimes(f.hold); err != nil {
		return fail(fmt.Errorf("--hold %w", err))
	}
	if b.Think, err = lockload.ParseTimes(f.think); err != nil {
		return fail(fmt.Errorf("--think %w", err))
	}
	if b.Read, err = percent(f.read); err != nil {
		return fail(fmt.Errorf("--read %w", err))
	}
	if f.zipf != 0 && !(f.zipf > 1 && f.zipf <= 100) {
		return fail(fmt.Errorf("--zipf %v; legal: more than 1, up to 100", f.zipf))
	}
	b.Threads, b.Rate, b.Keys, b.Zipf, b.Lines = f.threads, f.rate, f.keys, f.zipf, f.lines
	b.Parts, b.Live, b.Seed, b.Duration = f.parts, f.machine == "live", f.seed, f.duration
	if p.Cores, err = f.coreList(b.Live); err != nil {
		return fail(err)
	}
	if p.Designs, err = pick(f.designs, "--design", designs.All(), designs.Lookup); err != nil {
		return fail(err)
	}
	if p.Kinds, err = pick(f.kinds, "--kind", locks.Kinds(), locks.Lookup); err != nil {
		return fail(err)
	}
	b.Sockets = f.sockets
	table, set, err := f.costTable(b)
	if err != nil {
		return nil, "", nil, err
	}
	if f.plot != "" {
		if _, err := plot.Format(f.plot); err != nil {
			return fail(fmt.Errorf("--plot: %w", err))
		}
	}
	for _, c := range p.Configs() {
		if err := c.Check(); err != nil {
			return fail(err)
		}
	}
	return p, table, set, nil
}

func (f *lockFlags) coreList(live bool) ([]int, error) {
	if live && f.cores == "1..64" { // the default
		return []int{runtime.GOMAXPROCS(0)}, nil
	}
	texts, err := sweep.Expand(f.cores, false)
	if err != nil {
		return nil, fmt.Errorf("--cores: %w", err)
	}
	var out []int
	for _, t := range texts {
		n, err := strconv.Atoi(t)
		if err != nil || n < 1 || n > spec.MaxCores {
			return nil, fmt.Errorf("--cores %s; legal: whole numbers, 1 to %d", t, spec.MaxCores)
		}
		if here := runtime.GOMAXPROCS(0); live && n != here {
			return nil, fmt.Errorf("--cores %d on machine live, which has the %d of this computer; legal: --machine sim", n, here)
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out, nil
}

// percent takes 90% or 90.
func percent(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(v >= 0 && v <= 100) {
		return 0, fmt.Errorf("%q; legal: 0%% to 100%%", text)
	}
	return v / 100, nil
}

// pick takes a list of names, or all.
func pick[T any](text, flag string, all []T, lookup func(string) (T, error)) ([]T, error) {
	if text == "all" {
		return all, nil
	}
	var out []T
	for name := range strings.SplitSeq(text, ",") {
		one, err := lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// costTable fills in the costs; it says which table they are, and what was set.
func (f *lockFlags) costTable(b *lockload.Config) (name string, set []string, err error) {
	if b.Live && (f.costs != "" || len(f.set) > 0) {
		return "", nil, usagef("--costs and --set are of the simulated machine; legal: --machine sim")
	}
	params := param.New()
	params.Declare(sim.Params()...)
	params.Declare(sim.GoParams()...)
	name = "default"
	if f.costs != "" {
		name = f.costs
		costs, err := spec.LoadCosts(f.costs)
		if err != nil {
			return "", nil, err
		}
		for _, v := range costs {
			if err := params.Apply(v); err != nil {
				return "", nil, usage(err)
			}
		}
	}
	for _, v := range f.set {
		if err := params.Apply(v); err != nil {
			return "", nil, usage(err)
		}
		set = append(set, v.Name+"="+v.Value)
	}
	b.Costs = sim.CostsFrom(params)
	b.CoresPerSocket = params.Int(sim.SocketThreads)
	b.Go = sim.GoCostsFrom(params)
	b.Costs.Switch, b.Costs.Slice = params.Duration("go.switch"), sim.GoSlice
	return name, set, nil
}

func (a *app) runLock(ctx context.Context, f *lockFlags) error {
	p, table, set, err := f.resolve()
	if err != nil {
		return err
	}
	total := len(p.Configs())
	step, done := a.progress(fmt.Sprintf("%d points", total))
	points, runErr := p.Run(ctx, func(n int) {
		if step != nil {
			step(float64(n) / float64(total))
		}
	})
	done()
	interrupted := errors.Is(runErr, context.Canceled)
	if runErr != nil && (!interrupted || len(points) == 0) {
		if interrupted {
			return errInterrupted
		}
		return runErr
	}
	r := lockload.NewReport(p, points, table, set)
	var undrawn error
	if f.plot != "" {
		kind, err := plot.Format(f.plot)
		if err != nil {
			return usage(err)
		}
		undrawn = files.Write(f.plot, func(w io.Writer) error { return r.Chart(w, kind) })
	}
	err = errors.Join(undrawn, a.emit(f.output, func(w io.Writer) error {
		switch f.format {
		case "json":
			return r.JSON(w)
		case "csv":
			return r.CSV(w)
		}
		return r.Text(w, f.full)
	}))
	if err == nil && interrupted {
		return errInterrupted
	}
	return err
}
