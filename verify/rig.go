package verify

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/explore"
	"hostlock/machine/param"
)

const (
	sectors = 8                // of a command
	think   = time.Microsecond // where there is time
	perTurn = 1 << 12          // commands that a thread may issue in one turn
)

// rig is a system under test: it can be used for several turns, as long as none
// fails.
type rig struct {
	cfg      *Config
	scenario *Scenario
	sys      *dispatch.System
	see      *observer
	issuers  []*dispatch.Issuer // by thread; the last is the upsetter's
	fixed    bool               // nothing is drawn that need not be
	short    bool               // threads issue fewer commands, or as many
}

// params are the parameters of a scenario, on a machine with time or without.
func (c *Config) params(s *Scenario, timed bool) (*param.Set, error) {
	p, err := dispatch.NewParams(c.Driver)
	if err != nil {
		return nil, err
	}
	slots := strconv.Itoa(c.CanQueue)
	set := map[string]string{"host.can_queue": slots, "host.cmd_per_lun": slots}
	if c.Exhaustive && p.Has("verify.device_rate") {
		// One way of completing is enough to multiply orders by.
		set["verify.inline_rate"], set["verify.device_rate"] = "0", "1"
	}
	own := maps.Clone(s.set)
	if timed {
		maps.Copy(own, s.timed)
	}
	for k, v := range own {
		if v == "$+1" {
			v = strconv.Itoa(c.CanQueue + 1)
		}
		if !p.Has(k) && strings.HasPrefix(k, DriverName+".") {
			continue // another driver, which cannot do this
		}
		set[k] = v
	}
	for k, v := range c.Set {
		set[k] = v
	}
	for k, v := range set {
		if err := p.Set(k, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// build makes a rig on a machine.
func build(m machine.Machine, cfg *Config, s *Scenario, p *param.Set, inside meetings) (*rig, error) {
	d := dispatch.Config{
		Strategy: cfg.Strategy, Driver: cfg.Driver, Params: p, Targets: max(s.targets, 1), LUNs: cfg.LUNs,
		Mistake: cfg.Mistake,
	}
	if e, ok := m.(*explore.Machine); ok {
		d.Between = func(s dispatch.Strategy) dispatch.Strategy { return newBoundary(e, s, inside) }
	}
	sys, err := dispatch.New(m, d)
	if err != nil {
		return nil, err
	}
	machine.About(m, "strategy "+cfg.Strategy, "scenario "+s.Name)
	r := &rig{cfg: cfg, scenario: s, sys: sys, see: &observer{blind: true}, issuers: make([]*dispatch.Issuer, cfg.Threads+1)}
	if d, ok := sys.Hosts()[0].Driver().(*driver); ok {
		r.see = d.see
	}
	r.see.abandons = s.abandons
	r.see.tries = p.Int("midlayer.retries") + 1
	return r, nil
}

// start adds the threads of a turn. spread is how many cores they are on, evenly
// apart.
func (r *rig) start(m machine.Machine, spread int) {
	r.see.reset(r.scenario.ordered)
	apart := m.Cores() / r.cfg.cores() // 1 but on more cores than others have
	for i := range r.cfg.Threads {
		m.Go("issuer/"+strconv.Itoa(i), i%spread*apart, false, func(t *machine.Thread) {
			r.issue(t, r.issuer(t, i), i)
		})
	}
	if r.scenario.upset != nil {
		m.Go("upsetter", r.cfg.Threads%spread*apart, false, func(t *machine.Thread) {
			r.scenario.upset(&upsetter{rig: r, t: t, iss: r.issuer(t, r.cfg.Threads)})
		})
	}
}

func (r *rig) issuer(t *machine.Thread, i int) *dispatch.Issuer {
	if r.issuers[i] == nil {
		r.issuers[i] = r.sys.NewIssuer(t)
	}
	return r.issuers[i]
}

// sector is unique to a thread's command.
func (r *rig) sector(thread, n int) int64 { return int64(thread*perTurn+n+1) * sectors }

// issue is a thread's turn: its commands, with as many at a time as it draws.
func (r *rig) issue(t *machine.Thread, iss *dispatch.Issuer, thread int) {
	commands := r.cfg.Commands
	if r.short {
		commands = 1 + t.Rand().IntN(commands)
	}
	devs := r.sys.Devices()
	window := 1
	switch {
	case r.scenario.ordered:
		window = r.cfg.Commands
	case !r.fixed:
		window = 1 + t.Rand().IntN(min(2, r.cfg.Commands))
	}
	dev := devs[thread%len(devs)]
	var under []*dispatch.Request
	wait := func() {
		rq := under[0]
		under = under[1:]
		sector := rq.Sector
		r.see.finished(t, sector, iss.Wait(t, rq), r.scenario.fails)
	}
	for n := range commands {
		if r.fixed {
			dev = devs[(thread+n)%len(devs)]
		} else {
			dev = devs[t.Rand().IntN(len(devs))]
		}
		rq := iss.Request(dev, op(t, r.fixed), r.sector(thread, n), sectors, 1, nil)
		if r.scenario.ordered {
			r.see.submitted(t, rq)
		}
		iss.Submit(t, rq)
		if under = append(under, rq); len(under) == window {
			wait()
		}
	}
	for len(under) > 0 {
		wait()
	}
}

func op(t *machine.Thread, fixed bool) dispatch.Op {
	if fixed || t.Rand().IntN(2) == 0 {
		return dispatch.Read
	}
	return dispatch.Write
}

// check is what must hold once every thread has ended and nothing is left to
// happen.
func (r *rig) check() error {
	if err := r.see.trouble(); err != nil {
		return err
	}
	if v := r.sys.LimitViolations(); len(v) > 0 {
		var s []string
		for _, l := range v {
			s = append(s, fmt.Sprintf("%s is %d, and %d were with the driver", l.What, l.Limit, l.Max))
		}
		return fmt.Errorf("a limit was exceeded: %s", strings.Join(s, "; "))
	}
	switch l := r.sys.Ledger(); {
	case l.Lost != 0:
		return fmt.Errorf("the ledger does not close: %d issued, %d completed, %d failed, %d lost", l.Issued, l.Completed, l.Failed, l.Lost)
	case l.Duplicates != 0:
		return fmt.Errorf("%d commands were completed twice", l.Duplicates)
	}
	return nil
}

// draw takes one of the scenarios by weight.
func draw(from []*Scenario, seed uint64) *Scenario {
	total := 0
	for _, s := range from {
		total += s.weight
	}
	n := rand.New(rand.NewPCG(seed, 3)).IntN(total)
	for _, s := range from {
		if n -= s.weight; n < 0 {
			return s
		}
	}
	return from[0]
}
