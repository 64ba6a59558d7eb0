package dispatch

import (
	"time"

	"hostlock/dispatch/tally"
	"hostlock/machine"
)

// level integrates a number over the measured window: it keeps what the number
// is, and the sum of each change times when it was made, from which the area
// follows once the window's edges are known. Changes need not come in order of
// their times, so that threads whose clocks are a little ahead do no harm.
type level struct {
	now, first, last int64 // now, when the window was opened, and when it was closed
	moment           int64 // changes x ns since the machine was started, within the window
}

func (l *level) add(w int32, change int64, at time.Duration) {
	l.now += change
	if w == windowOpen {
		l.moment += change * int64(at)
	}
}

func (l *level) open()  { l.first, l.moment = l.now, 0 }
func (l *level) close() { l.last = l.now }

// mean is the number's mean over a window.
func (l *level) mean(began, window time.Duration) float64 {
	if window <= 0 {
		return 0
	}
	area := l.last*int64(began+window) - l.first*int64(began) - l.moment
	return max(float64(area)/float64(window), 0)
}

// occupancy is what one host or one device holds, counted by the flow and apart
// from any strategy: from when a command was admitted until its slots are given
// back. It is an instrument of machines on which one thread runs at a time, and
// costs nothing there; see sampler for the live one.
type occupancy struct {
	slots   level // commands that hold a slot
	waiting level // requests that are queued, and hold none
	full    level // 1 while no slot is free
	work    level // 1 while there is anything, of a device
	driver  level // commands that the driver has
}

func (o *occupancy) levels() [5]*level {
	return [...]*level{&o.slots, &o.waiting, &o.full, &o.work, &o.driver}
}

// settle works out what follows from the counts.
func (o *occupancy) settle(w int32, limit int, at time.Duration) {
	set := func(l *level, on bool) {
		var n int64
		if on {
			n = 1
		}
		if n != l.now {
			l.add(w, n-l.now, at)
		}
	}
	set(&o.full, limit > 0 && o.slots.now >= int64(limit))
	set(&o.work, o.slots.now+o.waiting.now > 0)
}

// occupy counts requests into a device's queue or out of it, and admitted
// commands into the slots or out of them.
func (d *Device) occupy(t *machine.Thread, waiting, slots int64) {
	sys := d.Host.sys
	if !sys.counts {
		return
	}
	w, at := sys.window.Load(), t.Now()
	limit := d.Depth()
	if n := d.Target.CanQueue; n > 0 && len(d.Target.Devices) == 1 {
		limit = min(limit, n)
	}
	d.held.waiting.add(w, waiting, at)
	d.held.slots.add(w, slots, at)
	d.held.settle(w, limit, at)
	h := d.Host
	h.held.waiting.add(w, waiting, at)
	if slots != 0 {
		h.held.slots.add(w, slots, at)
		h.held.settle(w, int(h.limit.now.Load()), at)
	}
}

func (h *Host) occupyDriver(t *machine.Thread, n int64) {
	if h.sys.counts {
		h.held.driver.add(h.sys.window.Load(), n, t.Now())
	}
}

func (sys *System) occupancies() (hosts, devices []*occupancy) {
	for _, h := range sys.hosts {
		hosts = append(hosts, &h.held)
	}
	for _, d := range sys.devices {
		devices = append(devices, &d.held)
	}
	return hosts, devices
}

func (sys *System) openOccupancy() {
	if sys.sampler != nil {
		sys.sampler.start()
	}
	if !sys.counts {
		return
	}
	hosts, devices := sys.occupancies()
	for _, o := range append(hosts, devices...) {
		for _, l := range o.levels() {
			l.open()
		}
	}
}

func (sys *System) closeOccupancy() {
	if sys.sampler != nil {
		sys.sampler.stop()
	}
	if !sys.counts {
		return
	}
	hosts, devices := sys.occupancies()
	for _, o := range append(hosts, devices...) {
		for _, l := range o.levels() {
			l.close()
		}
	}
}

// Occupancy is how full hosts and devices were over the window, once the machine
// has stopped: began is when the window was opened, since the machine was
// started. ok is false where nobody counted: where schedules are explored, and
// where Config.NoLimitCheck is set.
func (sys *System) Occupancy(began, window time.Duration) (o tally.Occupancy, ok bool) {
	if sys.sampler != nil {
		return sys.sampler.occupancy(), true
	}
	if !sys.counts {
		return o, false
	}
	for _, h := range sys.hosts {
		o.InFlight += h.held.slots.mean(began, window)
		o.Waiting += h.held.waiting.mean(began, window)
		o.InDriver += h.held.driver.mean(began, window)
		o.HostFull += h.held.full.mean(began, window) / float64(len(sys.hosts))
	}
	full, work := 0.0, 0.0
	for _, d := range sys.devices {
		full += d.held.full.mean(began, window)
		busy := d.held.work.mean(began, window)
		if work += busy; busy > 0 {
			o.Used++
		}
	}
	o.WithWork = work
	if work > 0 {
		o.DeviceFull = full / work
	}
	return o, true
}

// DeviceService adds up what the devices of all hosts did in the window; ok is
// false where the driver does not say.
func (sys *System) DeviceService() (s tally.Service, ok bool) {
	for _, h := range sys.hosts {
		d, is := h.driver.(servingDriver)
		if !is {
			return s, false
		}
		one := d.Service()
		s.Busy += one.Busy
		s.Commands += one.Commands
		s.Mean, s.Channels, s.Shared = one.Mean, one.Channels, one.Shared
	}
	return s, true
}
