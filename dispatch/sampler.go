package dispatch

import (
	"sync"
	"time"

	"hostlock/dispatch/tally"
)

// sampleEvery is how often the live machine is looked at: 250 times a second, as
// often as the system's tick. A look reads some dozens of counters that are there
// for the limits' sake, about a microsecond's work.
const sampleEvery = 4 * time.Millisecond

// sampler finds on the live machine, by looking now and then, what occupancy
// counts in virtual time: clocks and more counters on the path would be part of
// what is measured. It sees what is with the driver, not what holds a slot.
type sampler struct {
	sys  *System
	done chan struct{}
	over sync.WaitGroup

	weight, inFlight, hostFull, devFull, devWork float64
	used                                         map[int]bool
}

func (s *sampler) start() {
	s.done, s.used = make(chan struct{}), map[int]bool{}
	s.over.Go(func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		last := time.Now()
		for {
			select {
			case <-s.done:
				return
			case <-tick.C:
			}
			now := time.Now()
			s.look(now.Sub(last).Seconds())
			last = now
		}
	})
}

func (s *sampler) stop() {
	if s.done != nil {
		close(s.done)
		s.over.Wait()
		s.done = nil
	}
}

// look weighs a sample by the time that it stands for.
func (s *sampler) look(weight float64) {
	s.weight += weight
	for _, h := range s.sys.hosts {
		n := h.commands.now.Load()
		s.inFlight += weight * float64(n)
		if limit := h.limit.now.Load(); limit > 0 && n >= limit {
			s.hostFull += weight / float64(len(s.sys.hosts))
		}
	}
	for _, d := range s.sys.devices {
		if n := d.commands.now.Load(); n > 0 {
			s.devWork += weight
			s.used[d.ID] = true
			if n >= int64(d.Depth()) {
				s.devFull += weight
			}
		}
	}
}

func (s *sampler) occupancy() (o tally.Occupancy) {
	if s.weight == 0 {
		return o
	}
	o.InFlight = s.inFlight / s.weight
	o.InDriver = o.InFlight
	o.HostFull = s.hostFull / s.weight
	o.WithWork, o.Used = s.devWork/s.weight, len(s.used)
	if s.devWork > 0 {
		o.DeviceFull = s.devFull / s.devWork
	}
	return o
}
