package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"hostlock/designs"
	"hostlock/designs/designtest"
	"hostlock/locks"
	"hostlock/machine/explore"
	"hostlock/results"
	"hostlock/verify"
)

// verifyDesign is `lab verify --design NAME`: a design's contract under explored
// orders, for one kind of lock or for all.
func (a *app) verifyDesign(ctx context.Context, f *verifyFlags) error {
	d, err := designs.Lookup(f.design)
	if err != nil {
		return usage(err)
	}
	c := f.cfg
	if c.Strategy != "" || c.Driver != "" || len(c.Scenarios) > 0 || c.Exhaustive || f.replay != "" || len(f.set) > 0 {
		return usagef("--design goes with --kind, --schedules, --seed, --format and --output alone")
	}
	kinds := locks.Kinds()
	switch {
	case f.kind != "":
		if kinds, err = pick(f.kind, "--kind", kinds, locks.Lookup); err != nil {
			return usage(err)
		}
	case !d.Kinds:
		kinds = kinds[:1]
	}
	schedules := c.Schedules
	if schedules == 0 {
		schedules = verify.DefaultSchedules
	}
	step, done := a.progress("verify " + d.Name)
	var reports []designReport
	var found *explore.Failure
	for i, k := range kinds {
		cfg := designtest.Config{Kind: k, Schedules: schedules, Seed: f.seed.N, Progress: func(r explore.Report) {
			if step != nil {
				step((float64(i) + float64(r.Schedules)/float64(schedules)) / float64(len(kinds)))
			}
		}}
		r, runErr := designtest.Explore(ctx, d, cfg)
		if runErr != nil && !errors.Is(runErr, context.Canceled) {
			done()
			return runErr
		}
		one := designReport{Design: d.Name, Schedules: r.Schedules, Operations: r.Steps, Elapsed: r.Elapsed.Seconds()}
		if d.Kinds {
			one.Kind = k.Name
		}
		if r.Failure != nil {
			found = r.Failure
			one.Finding, one.What = string(found.Kind), found.What
		}
		reports = append(reports, one)
		if err = runErr; err != nil || found != nil {
			break
		}
	}
	done()
	if writeErr := a.emit(f.output, func(w io.Writer) error {
		if f.format == "json" {
			return writeJSON(w, reports)
		}
		return printDesign(w, reports, found, f.full)
	}); writeErr != nil {
		return writeErr
	}
	switch {
	case found != nil:
		return fmt.Errorf("design %s breaks its contract: %s", d.Name, found.What)
	case err != nil:
		return errInterrupted
	}
	return nil
}

// designReport is what one kind's run came to.
type designReport struct {
	Design     string  `json:"design"`
	Kind       string  `json:"kind,omitempty"`
	Schedules  int     `json:"schedules"`
	Operations int64   `json:"operations"`
	Elapsed    float64 `json:"seconds"`
	Finding    string  `json:"finding,omitempty"`
	What       string  `json:"what,omitempty"`
}

func printDesign(w io.Writer, reports []designReport, found *explore.Failure, full bool) error {
	for _, r := range reports {
		name := r.Design
		if r.Kind != "" {
			name += " " + r.Kind
		}
		verdict := "no finding"
		if r.Finding != "" {
			verdict = r.Finding
		}
		if _, err := fmt.Fprintf(w, "%s: %s in %s, %v\n", name, verdict, results.Count(r.Schedules, "schedule"), time.Duration(r.Elapsed*float64(time.Second)).Round(time.Millisecond)); err != nil {
			return err
		}
	}
	if found == nil || len(found.Trace) == 0 {
		return nil
	}
	show := func(s *explore.Step) bool { return s.Shared }
	if full {
		show = nil
	}
	return found.Print(w, show)
}
