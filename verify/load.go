package verify

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/dispatch/tally"
	"hostlock/machine"
)

// Load runs a scenario on any machine, with threads that issue commands until
// the course's window ends, and checks the same as under explored schedules. Its
// error is the machine's, or what was found. Where the scenario leaves the system
// whole, the last thread to end fills every limit once more.
func Load(ctx context.Context, m machine.Machine, cfg Config, scenario string, course machine.Course) (tally.Counts, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return tally.Counts{}, err
	}
	s := find(scenario)
	if s == nil {
		return tally.Counts{}, fmt.Errorf("unknown scenario %q; legal: %v", scenario, Scenarios())
	}
	p, err := cfg.params(s, true)
	if err != nil {
		return tally.Counts{}, err
	}
	r, err := build(m, &cfg, s, p, meetings{})
	if err != nil {
		_, _ = m.Run(ctx, machine.Course{}) // it has daemons already, which end with it
		return tally.Counts{}, err
	}
	r.see.reset(s.ordered)
	var left atomic.Int64
	left.Store(int64(cfg.Threads))
	if s.upset != nil {
		left.Add(1)
	}
	end := func(t *machine.Thread, iss *dispatch.Issuer) {
		if left.Add(-1) == 0 && !s.wrecks {
			r.fill(t, iss)
		}
	}
	apart := 1
	if s.cores > 0 {
		apart = max(m.Cores()/cfg.Threads, 1)
	}
	for i := range cfg.Threads {
		m.Go("issuer/"+strconv.Itoa(i), i*apart%m.Cores(), false, func(t *machine.Thread) {
			iss := r.issuer(t, i)
			for !m.Stopping() {
				r.issue(t, iss, i)
				t.Sleep(think)
			}
			end(t, iss)
		})
	}
	if s.upset != nil {
		m.Go("upsetter", cfg.Threads%m.Cores(), false, func(t *machine.Thread) {
			u := &upsetter{rig: r, t: t, iss: r.issuer(t, cfg.Threads)}
			for once := true; !m.Stopping(); once = false {
				if once || !s.wrecks {
					s.upset(u)
					u.n = 0
				}
				t.Sleep(100 * think)
			}
			end(t, u.iss)
		})
	}
	if _, err := m.Run(ctx, course); err != nil {
		return r.sys.Ledger(), err
	}
	return r.sys.Ledger(), r.check()
}
