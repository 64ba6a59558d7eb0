package lockhammer

import (
	"context"
	"fmt"
	"time"

	"hostlock/machine"
	"hostlock/machine/sim"
)

// Kinds are the simulated locks that stand for the host's.
var kinds = map[string]machine.Kind{
	"ticket_spinlock": machine.Ticket,
	"queued_spinlock": machine.Queued,
	"swap_mutex":      machine.TAS,
}

// Load is one row to simulate.
type load struct {
	lock             string
	critical, around float64 // ns on a core without a busy sibling
	threads          int
}

// spread is how far a section's length varies about its mean, as a fraction: a
// tenth, as the runs of the empty rows do. Without any, threads keep step.
const spread = 0.1

// barrier is how long the threads take to start: more than a hand-off each.
const barrier = 20 * time.Microsecond

// simulate gives nanoseconds an acquisition, over the whole machine. Threads are
// pinned as the host's were: two to a core, the first socket first.
func simulate(costs sim.Costs, l load, acquisitions int) (float64, error) {
	const threads, sockets = 88, 2
	kind, isLock := kinds[l.lock]
	s, err := sim.New(sim.Config{Cores: threads, Sockets: sockets, Seed: 1, Costs: costs, LockKinds: map[string]machine.Kind{"lock": kind}})
	if err != nil {
		return 0, err
	}
	var lock machine.SpinLock
	lock.Init(s, "lock")
	var word machine.Word
	word.Init(machine.NewLine("word"), 0)
	warm, done := acquisitions/4, 0
	var from time.Duration
	var took time.Duration
	critical := machine.Dist{Mean: time.Duration(l.critical), Shape: machine.Lognormal, CV: spread}
	around := machine.Dist{Mean: time.Duration(l.around), Shape: machine.Lognormal, CV: spread}
	for i := range l.threads {
		s.Go(fmt.Sprintf("thread-%d", i), i, false, func(t *machine.Thread) {
			work := func(d machine.Dist) {
				if d.Mean > 0 {
					t.Work(d.Draw(t.Rand()))
				}
			}
			// They leave the barrier at which they were started in any order.
			t.Work(time.Duration(t.Rand().Int64N(int64(barrier))))
			for done < warm+acquisitions {
				off := t.IRQSave()
				switch {
				case l.lock == "incdec_refcount":
					word.Add(t, 1)
					work(critical)
					word.Dec(t)
				case isLock:
					lock.Lock(t)
					work(critical)
					lock.Unlock(t)
				default:
					work(critical)
				}
				t.IRQRestore(off)
				work(around)
				switch done++; done {
				case warm:
					from = t.Now()
				case warm + acquisitions:
					took = t.Now() - from
				}
			}
		})
	}
	if _, err := s.Run(context.Background(), machine.Course{Duration: time.Nanosecond}); err != nil {
		return 0, err
	}
	return float64(took) / float64(acquisitions), nil
}
