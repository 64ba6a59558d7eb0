package verify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/explore"
	"hostlock/machine/sim"
)

// An explored system sees some hundred commands on a few cores, and so no counter
// of 16 bits come round, no LUN that waits while many others are served, and no
// limit divided into many parts. The long run does: one system, in virtual time,
// whose driver has as many commands as the limits allow, all the time.
const (
	// LongCommands is how many the long run has: 2^16, and some more to show what
	// a counter that has come round does.
	LongCommands = 1<<16 + 4096
	// LongCores is how many cores it has: the headline's.
	LongCores = 64
	// starved is how many commands of other devices may come back while a device
	// has some waiting and its driver gets none of them. A plug's 3 ms are some 200
	// here; the longest that a shipped strategy had a device wait was 33 with seed 1
	// (TestTheLongRun).
	starved = 1000
)

// longSet is what the long run sets: limits that none of the others implies, of which
// each is reached, and a device slow enough that a plug's 3 ms are few commands.
var longSet = map[string]string{
	"host.can_queue": "12", "host.target_can_queue": "8", "host.cmd_per_lun": "6", "verify.latency": "200us",
}

// The load of the long run: threads, by twos on a LUN of their own, that each have
// several commands under way.
const (
	longThreads, longTargets, longLUNs = 16, 2, 2
	longDepth                          = 4
)

// Long is what the long run did.
type Long struct {
	Commands int // that came back
	// Waited is the most commands of other devices that came back while a device
	// waited.
	Waited int64
}

// LongRun has a strategy run LongCommands commands on one system, and every limit
// filled once more after that. The finding is nil where all was well. Its error is
// about the request, or ctx's.
func LongRun(ctx context.Context, cfg Config) (*Long, *Finding, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, nil, err
	}
	cfg.Threads, cfg.LUNs, cfg.Driver = longThreads, longLUNs, DriverName
	s := &Scenario{Name: "long", set: longSet, targets: longTargets}
	p, err := cfg.params(s, true)
	if err != nil {
		return nil, nil, err
	}
	m, err := sim.New(sim.Config{Cores: LongCores, Sockets: 4, Seed: cfg.Seed, Costs: sim.DefaultCosts()})
	if err != nil {
		return nil, nil, err
	}
	r, err := build(m, &cfg, s, p, meetings{})
	if err != nil {
		_, _ = m.Run(ctx, machine.Course{}) // it has daemons already, which end with it
		return nil, nil, err
	}
	r.see.reset(false)
	l := &long{rig: r, ctx: ctx, fair: newFairness(r.sys.Devices()), threads: longThreads}
	r.see.fair = l.fair
	for i := range longThreads {
		m.Go("issuer/"+strconv.Itoa(i), i*m.Cores()/longThreads, false, func(t *machine.Thread) { l.issue(t, i) })
	}
	const ever = 1 << 62
	_, runErr := m.Run(ctx, machine.Course{Duration: 1, Drain: ever})
	done := &Long{Commands: int(l.fair.back), Waited: l.fair.worst}
	if ctx.Err() != nil {
		return done, nil, ctx.Err()
	}
	kind, what := l.verdict(runErr)
	if what == "" {
		return done, nil, nil
	}
	return done, &Finding{Failure: explore.Failure{Kind: kind, What: what}, Scenario: s.Name, Config: cfg}, nil
}

type long struct {
	*rig
	ctx     context.Context
	fair    *fairness
	issued  int
	threads int // that have not ended
}

// verdict is what went wrong; "" where nothing did.
func (l *long) verdict(err error) (explore.Kind, string) {
	var panicked *machine.Panicked
	switch trouble := l.check(); {
	case l.see.trouble() != nil:
		return explore.Check, trouble.Error()
	case errors.As(err, &panicked):
		first, _, _ := strings.Cut(panicked.Error(), "\n")
		return explore.Panicked, first
	case err != nil:
		return explore.NoProgress, err.Error()
	case trouble != nil:
		return explore.Check, trouble.Error()
	}
	if free := l.sys.Free(); len(free) > 0 {
		return Free, free[0]
	}
	return "", ""
}

// issue is a thread's part of the commands, on one device. The last to end fills
// every limit.
func (l *long) issue(t *machine.Thread, thread int) {
	iss := l.issuer(t, thread)
	devs := l.sys.Devices()
	dev := devs[thread%len(devs)]
	var under []*dispatch.Request
	for l.issued < LongCommands && l.see.trouble() == nil && l.ctx.Err() == nil {
		l.issued++
		rq := iss.Request(dev, op(t, false), int64(l.issued)*sectors, sectors, 1, nil)
		l.see.queued(dev)
		iss.Submit(t, rq)
		if under = append(under, rq); len(under) == longDepth {
			l.wait(t, iss, &under)
		}
	}
	for len(under) > 0 {
		l.wait(t, iss, &under)
	}
	if l.threads--; l.threads == 0 && l.see.trouble() == nil && l.ctx.Err() == nil {
		l.see.fair = nil // the driver holds commands back, and nothing is fair about that
		l.fill(t, iss)
	}
}

func (l *long) wait(t *machine.Thread, iss *dispatch.Issuer, under *[]*dispatch.Request) {
	rq := (*under)[0]
	*under = append((*under)[:0], (*under)[1:]...)
	sector := rq.Sector
	l.see.finished(t, sector, iss.Wait(t, rq), false)
}

// fairness counts, for each device that has commands waiting, how many of the others'
// have come back since the driver got one of its own.
type fairness struct {
	back, worst int64
	waits       map[*dispatch.Device]*waits
	devices     []*dispatch.Device
}

type waits struct {
	commands    int
	since, mine int64 // commands that had come back, and of them the device's own
	own         int64
}

func newFairness(devs []*dispatch.Device) *fairness {
	f := &fairness{waits: map[*dispatch.Device]*waits{}, devices: devs}
	for _, d := range devs {
		f.waits[d] = &waits{}
	}
	return f
}

func (f *fairness) served(w *waits) { w.since, w.mine = f.back, w.own }

// queued is called before a request of a device is submitted.
func (f *fairness) queued(dev *dispatch.Device) {
	w := f.waits[dev]
	if w.commands == 0 {
		f.served(w)
	}
	w.commands++
}

// given is called when the driver gets a command of a device.
func (f *fairness) given(dev *dispatch.Device) {
	w := f.waits[dev]
	w.commands--
	f.served(w)
}

// done is called when a command comes back; it names a device that has waited too
// long.
func (f *fairness) done(dev *dispatch.Device) *dispatch.Device {
	f.back++
	f.waits[dev].own++
	for _, d := range f.devices {
		w := f.waits[d]
		if w.commands == 0 {
			continue
		}
		others := f.back - w.since - (w.own - w.mine)
		if f.worst = max(f.worst, others); others > starved {
			return d
		}
	}
	return nil
}

// queued is called before a request is submitted, where that is looked at.
func (o *observer) queued(dev *dispatch.Device) {
	if o.fair != nil {
		o.fair.queued(dev)
	}
}

// unfair looks at fairness when a command is done; o.mu is held.
func (o *observer) unfair(dev *dispatch.Device) {
	if o.fair == nil {
		return
	}
	if d := o.fair.done(dev); d != nil {
		o.fault("LUN %s starves: it has commands waiting, and %d of other LUNs came back since the driver got one of its own", d.Name(), starved)
	}
}

// String is the long run in words.
func (l *Long) String() string {
	return fmt.Sprintf("%d commands on one system in virtual time, on %d cores, so that counters of 16 bits came round; no LUN waited while more than %d of other LUNs came back (%d are a finding); each limit could be filled after that",
		l.Commands, LongCores, l.Waited, starved)
}
