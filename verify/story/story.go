package story

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/sim"
)

// Story is one tale.
type Story struct {
	Name string
	tell func(s *scene)
}

// Stories are those of error handling.
func Stories() []Story { return stories }

// Flow are those without: any strategy takes part in them.
func Flow() []Story { return flow }

// Options say how a story is told.
type Options struct {
	Strategy string
	// Mistake has error handling go wrong on purpose, to see whether the story
	// comes to another end.
	Mistake eh.Mistake
}

// Run tells the story. Its error is dispatch.ErrNoRecoverer, wrapped, where the
// strategy cannot handle errors, and otherwise in what the story did not end as
// it must.
func (s Story) Run(o Options) (err error) {
	sc := &scene{opts: o}
	defer func() {
		// What a strategy, or the path for it, gives up with.
		if r := recover(); r != nil {
			err = errors.Join(append(sc.errs, fmt.Errorf("panic: %v", r))...)
		}
	}()
	s.tell(sc)
	return errors.Join(sc.errs...)
}

// scene is a story's system, and what was wrong with its end.
type scene struct {
	opts Options
	m    *sim.Sim
	sys  *dispatch.System
	drv  *driver
	errs []error
	// threads that were started, and have come to their end.
	began, ended int
}

// stage is what a story needs.
type stage struct {
	targets, luns int
	set           map[string]string
}

// scale is what the kernel's times are multiplied with: a timeout of 30 ms,
// settling and probes of 10 ms.
const scale = "0.001"

// open makes the system. It reports false where that cannot be.
func (s *scene) open(st stage) bool {
	m, err := sim.New(sim.Config{Cores: 4, Sockets: 2, Seed: 1, Costs: sim.DefaultCosts()})
	if s.failed(err) {
		return false
	}
	p, err := dispatch.NewParams(driverName)
	if s.failed(err) {
		return false
	}
	set := map[string]string{"midlayer.error_handling": "true", "midlayer.eh_scale": scale}
	for k, v := range st.set {
		set[k] = v
	}
	for k, v := range set {
		if s.failed(p.Set(k, v)) {
			return false
		}
	}
	s.m = m
	s.sys, err = dispatch.New(m, dispatch.Config{
		Strategy: s.opts.Strategy, Driver: driverName, Params: p,
		Targets: st.targets, LUNs: st.luns, Mistake: s.opts.Mistake,
	})
	if s.failed(err) {
		_, _ = m.Run(context.Background(), machine.Course{}) // it has daemons already, which end with it
		return false
	}
	s.drv = s.sys.Hosts()[0].Driver().(*driver)
	s.drv.latency = 100 * time.Microsecond
	return true
}

func (s *scene) failed(err error) bool {
	if err != nil {
		s.errs = append(s.errs, err)
	}
	return err != nil
}

// want notes what is not as it must be.
func (s *scene) want(ok bool, format string, args ...any) {
	if !ok {
		s.errs = append(s.errs, fmt.Errorf(format, args...))
	}
}

// thread adds one that issues commands.
func (s *scene) thread(name string, fn func(t *machine.Thread, iss *dispatch.Issuer)) {
	core := s.began % s.m.Cores()
	s.began++
	s.m.Go(name, core, false, func(t *machine.Thread) {
		fn(t, s.sys.NewIssuer(t))
		s.ended++
	})
}

// play lets everything happen, for at most ten seconds, and checks what must hold at every story's end.
func (s *scene) play() (tally.Counts, eh.Counts) {
	_, err := s.m.Run(context.Background(), machine.Course{Drain: 10 * time.Second})
	s.failed(err)
	s.want(s.ended == s.began, "%d of %d threads did not end: their commands are stuck", s.began-s.ended, s.began)
	l := s.sys.Ledger()
	s.want(l.Lost == 0 && l.Duplicates == 0, "the ledger does not close: %+v", l)
	for _, v := range s.sys.LimitViolations() {
		s.want(false, "%s is %d, and %d were with the driver", v.What, v.Limit, v.Max)
	}
	return l, s.sys.ErrorCounts()
}

// write writes one block and reports how that ended.
func write(t *machine.Thread, iss *dispatch.Issuer, d *dispatch.Device, n int) error {
	return iss.Do(t, d, dispatch.Write, int64(n)*8, 8, 1, nil)
}

// submit submits the write of one block.
func submit(t *machine.Thread, iss *dispatch.Issuer, d *dispatch.Device, n int) *dispatch.Request {
	rq := iss.Request(d, dispatch.Write, int64(n)*8, 8, 1, nil)
	iss.Submit(t, rq)
	return rq
}

// hostByte is that of an error that the path gave, or 0.
func hostByte(err error) scsi.HostByte {
	r, _ := scsi.ResultOf(err)
	return r.Host
}
