// Package designtest holds a design to its contract, under the explored orders of a
// few threads:
//
//   - no write is lost, and none is made twice;
//   - a read returns at least the writes that had ended when it began, and at most
//     those that had begun when it ended; one that may lag, at most those;
//   - data are used under a lock, or by words; nobody waits for ever;
//   - it synchronises by what the machine charges: a write that makes no operation
//     of the machine costs nothing in virtual time, and is a finding.
package designtest

import (
	"context"
	"fmt"
	"testing"

	"hostlock/designs"
	"hostlock/locks"
	"hostlock/machine"
	"hostlock/machine/explore"
)

// Config is what is explored.
type Config struct {
	Kind      locks.Info // of the design's locks; a kind of its own is made where it is the zero Info
	Schedules int        // 2000 where it is 0
	Seed      uint64     // 1 where it is 0
	Progress  func(explore.Report)
}

// The load: small, since most faults need two threads, and a third one to see.
const (
	threads   = 3
	keys      = 2
	rounds    = 3 // operations of each thread
	schedules = 2000
)

// Kind of the finding that explore has no word for.
const Free explore.Kind = "costs nothing"

// Explore looks for an order in which the design breaks its contract: the report's
// Failure, nil where none was found. An error is ctx's, or about the request.
func Explore(ctx context.Context, d designs.Info, c Config) (*explore.Report, error) {
	if c.Schedules == 0 {
		c.Schedules = schedules
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Kind.New == nil {
		kind, err := locks.Lookup("ttas")
		if err != nil {
			return nil, err
		}
		c.Kind = kind
	}
	var made, wrote uint64
	cfg := explore.Config{Cores: threads + 1, Seed: c.Seed, Schedules: c.Schedules, Progress: c.Progress}
	r, err := explore.Run(ctx, cfg, func(m *explore.Machine) (func() error, error) {
		return load(m, d, c.Kind, &made, &wrote), nil
	})
	if err == nil && r.Failure == nil && wrote > 0 && made == 0 {
		r.Failure = &explore.Failure{
			Kind: Free,
			What: fmt.Sprintf("%d writes made no machine operation: what synchronises them costs nothing in virtual time, and stops this machine", wrote),
		}
	}
	return r, err
}

// observer knows what reads may return. One thread at a time runs.
type observer struct {
	begun, ended [keys]uint64
	wrong        error
}

// load sets one schedule up, and counts its writes and the operations that they made.
func load(m *explore.Machine, d designs.Info, kind locks.Info, made, wrote *uint64) func() error {
	o := new(observer)
	var design designs.Design
	for i := range threads {
		m.Go(fmt.Sprint("load/", i), i, false, func(t *machine.Thread) {
			for n := range rounds {
				key := (i + n) % keys
				if (i+n)%threads == 0 {
					o.read(t, design, key, d.Lags)
					continue
				}
				o.begun[key]++
				before := t.Operations()
				design.Write(t, key, 1)
				*made += t.Operations() - before
				*wrote++
				o.ended[key]++
			}
			before := t.Operations()
			design.Flush(t)
			*made += t.Operations() - before
		})
	}
	// The exploring machine gives each core's two handlers the first IDs.
	env := designs.Env{Machine: m, Kind: kind, Threads: threads + 2*(threads+1), Cores: threads + 1, Keys: keys, Lines: 1, Parts: 2}
	design = d.New(env)
	return func() error {
		if o.wrong != nil {
			return o.wrong
		}
		want := o.ended[0] + o.ended[1]
		if got := design.Sum(); got != want {
			return fmt.Errorf("%d writes were made, and the counters add up to %d", want, got)
		}
		return nil
	}
}

func (o *observer) read(t *machine.Thread, d designs.Design, key int, lags bool) {
	low := o.ended[key]
	v := d.Read(t, key, 1)
	high := o.begun[key]
	if lags {
		low = 0
	}
	if (v < low || v > high) && o.wrong == nil {
		o.wrong = fmt.Errorf("%s reads %d, where %d to %d writes were made", t.Name(), v, low, high)
	}
}

// Run is Explore as a test, under every kind of lock that the design can have.
func Run(t *testing.T, d designs.Info) {
	t.Helper()
	kinds := locks.Kinds()
	if !d.Kinds {
		kinds = kinds[:1]
	}
	for _, k := range kinds {
		r, err := Explore(t.Context(), d, Config{Kind: k})
		switch {
		case err != nil:
			t.Fatal(err)
		case r.Failure != nil:
			t.Errorf("%s under %s: %v", d.Name, k.Name, r.Failure)
		}
	}
}
