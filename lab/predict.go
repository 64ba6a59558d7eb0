package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/designs"
	"hostlock/experiment/spec"
	"hostlock/experiment/sweep"
	"hostlock/lockload"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/predict"
	"hostlock/record"
)

// predictFlags are what `lab predict` was asked for.
type predictFlags struct {
	lock           string
	cores, designs string
	parts          int
	reads          string
	check, ledger  string
	costs          string
	set            []param.Setting
	format, output string
}

// predictCommand is `lab predict RECORD`.
func (a *app) predictCommand() *cobra.Command {
	f := predictFlags{designs: "one,shards,shorter"}
	cmd := &cobra.Command{
		Use:   "predict RECORD [flags]",
		Short: "what a recorded lock would give on more cores, and under another design, as a range",
		Long: `Takes a record of 'lab record', says whether one of its locks is a problem now, and
from which core count or load it will be; and what shards, a shorter hold, an
RWMutex or batches would give.

A model of the lock is made of its holds and of the program's processor time
alone. What else the record has (contended share, wait, the slope of --stretch)
is predicted and shown beside what was recorded: where the model is off by more
than 20 %, or 10 points, only bounds are given. A range is what the record leaves
open; one wider than a factor of two is no prediction. A program that leaves more
than a tenth of its processors idle is bound by its load: the answer is in load.

--check takes a record made after the change, and says whether it came out within
the range.

Exit status: 0 done; 1 a run failed; 2 the request was wrong.`,
		Example: `  lab record -o before.json -- go test -bench . ./pkg
  lab predict before.json --cores 2..8
  lab predict before.json --lock cache.go:42 --design one,shards --parts 8
  lab predict before.json --design one,readers --reads cache.go:57
  lab predict before.json --design shards --check after.json --ledger predictions.csv`,
		ValidArgsFunction: completeFrom(true, func() []string { return nil }),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("predict takes one record; legal: lab predict RECORD, a file that 'lab record -o FILE' wrote")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.runPredict(cmd.Context(), args[0], &f) },
	}
	grouped(cmd, "What is asked:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.lock, "SITE"}, "lock", "the lock, by function or file:line; the record's hottest without it")
		fs.Var(word{&f.cores, "A,B"}, "cores", "cores; once, twice and four times the recorded ones without it")
		fs.Var(word{&f.designs, "A,B"}, "design", "designs (lab list designs), or all")
		fs.Var(count[int]{to: &f.parts, max: 4096}, "parts", "how many shards there would be, or writes in a batch; 16 and 8 without it")
		fs.Var(word{&f.reads, "SITE|PCT"}, "reads", "acquisitions that only read: those of a site, or a share such as 90%; none of a Mutex without it")
	})
	grouped(cmd, "What it is held against:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.check, "AFTER"}, "check", "a record made after the change to the first design other than one; none without it")
		fs.Var(word{&f.ledger, "FILE"}, "ledger", "a CSV file to which --check adds its outcome; none without it")
	})
	grouped(cmd, "On what machine:", func(fs *pflag.FlagSet) {
		fs.Var(word{&f.costs, "NAME|FILE"}, "costs", "cost table (lab list costs), or a file of one, in place of the default")
		fs.Var(settings{&f.set}, "set", "a cost's `NAME=VALUE`. May be repeated")
	})
	outFlags(cmd, &f.format, &f.output, "text", "json")
	completeFile(cmd, "costs", completeKind("costs"))
	complete(cmd, "design", func() []string { return append(designs.Names(), "all") })
	return cmd
}

func (f *predictFlags) costTable() (sim.Costs, sim.GoCosts, error) {
	l := lockFlags{costs: f.costs, set: f.set}
	var c lockload.Config
	_, _, err := l.costTable(&c)
	return c.Costs, c.Go, err
}

// request makes the request of what the flags say.
func (f *predictFlags) request(r *record.Record) (predict.Request, error) {
	q := predict.Request{Parts: f.parts, Workers: runtime.GOMAXPROCS(0)}
	var err error
	if q.Designs, err = pick(f.designs, "--design", designs.All(), designs.Lookup); err != nil {
		return q, usage(err)
	}
	if f.cores != "" {
		texts, err := sweep.Expand(f.cores, false)
		if err != nil {
			return q, usagef("--cores: %w", err)
		}
		for _, t := range texts {
			n, err := strconv.Atoi(t)
			if err != nil || n < 1 || n > spec.MaxCores {
				return q, usagef("--cores %s; legal: whole numbers, 1 to %d", t, spec.MaxCores)
			}
			q.Cores = append(q.Cores, n)
		}
	}
	if f.reads != "" {
		if q.Reads, err = readShare(r, f.reads); err != nil {
			return q, err
		}
	}
	if f.ledger != "" && f.check == "" {
		return q, usagef("--ledger keeps what --check finds; legal: with --check AFTER")
	}
	return q, nil
}

// readShare is the share of a lock's acquisitions that a site makes, or a number.
func readShare(r *record.Record, text string) (float64, error) {
	if v, err := percent(text); err == nil {
		return v, nil
	}
	var site *record.Lock
	for i := range r.Locks {
		if r.Locks[i].Named(text) {
			site = &r.Locks[i]
		}
	}
	if site == nil {
		return 0, usagef("--reads %q; legal: a site of the record, or a share such as 90%%", text)
	}
	all := 0.0
	for i := range r.Locks {
		if l := &r.Locks[i]; l.Lock == site.Lock {
			all += float64(l.Acquisitions)
		}
	}
	return float64(site.Acquisitions) / all, nil
}

func (a *app) runPredict(ctx context.Context, file string, f *predictFlags) error {
	r, err := record.Open(file)
	if err != nil {
		return usage(err)
	}
	q, err := f.request(r)
	if err != nil {
		return err
	}
	var after *record.Record
	if f.check != "" {
		if after, err = record.Open(f.check); err != nil {
			return usage(err)
		}
	}
	costs, goc, err := f.costTable()
	if err != nil {
		return err
	}
	m, err := predict.NewModel(r, f.lock, costs, goc)
	if err != nil {
		return usage(err)
	}
	step, done := a.progress("predict")
	q.Progress = step
	p, err := m.Predict(ctx, q)
	done()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return errInterrupted
		}
		return err
	}
	if after != nil {
		return a.checkPrediction(p, after, f, q)
	}
	return a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return p.JSON(w)
		}
		return p.Text(w)
	})
}

// checkPrediction says what came of a prediction, and keeps it where asked to.
func (a *app) checkPrediction(p *predict.Prediction, after *record.Record, f *predictFlags, q predict.Request) error {
	design := q.Designs[0].Name
	for _, d := range q.Designs {
		if d.Name != "one" {
			design = d.Name
			break
		}
	}
	o, err := p.Check(after, f.lock, design)
	if err != nil {
		return usage(err)
	}
	if f.ledger != "" && o.Because == "" {
		if err := o.Append(f.ledger); err != nil {
			return err
		}
	}
	return a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return writeJSON(w, o)
		}
		_, err := fmt.Fprintf(w, "%s.\n", o)
		return err
	})
}
