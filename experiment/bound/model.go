package bound

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"hostlock/results"
)

// least and most bound a share of use: a limit that nothing used has no say, and
// one that is used up cannot be used more, whatever the arithmetic's small errors.
const (
	least = 1e-6
	most  = 0.9999
)

// newModel works out what each resource allows by itself.
//
// A slot's time is what its command needs of device and processors, without any
// waiting: a slot that is held for longer, because its command waits for a lock, a
// channel or a core, is not what is short. A thread's cycle is its time from
// command to command less all waiting, by the number of threads that wait.
func newModel(u Use) *model {
	m := &model{Use: u, working: u.Working / u.Rate}
	held := u.InFlight / u.Rate
	m.slot = held
	if u.Known {
		m.slot = min(held, u.Service+u.HeldBack+u.InSlot/u.Rate)
	}
	waits := u.Waiting + u.Ready + u.InFlight - m.slot*u.Rate + u.Spin - u.SpinInSlot
	m.cycle = max(float64(u.Threads)-waits, 0) / u.Rate
	m.list()
	return m
}

func (m *model) add(by string, used float64, more func(*model), why func(*model) string) {
	m.limits = append(m.limits, limit{by, min(max(used, least), most), more, why})
}

// grow makes the limit of one resource so much larger.
func (m *model) grow(by string, times float64) {
	for i := range m.limits {
		if m.limits[i].by == by {
			m.limits[i].used /= times
		}
	}
}

// cut takes time off what commands need, wherever that counts.
func (m *model) cut(by string, slot, cycle, working float64) {
	shrink := func(by string, was, less float64) {
		if was > 0 {
			m.grow(by, was/max(was-less, was/100))
		}
	}
	m.grow(by, More)
	shrink(CanQueue, m.slot, slot)
	shrink(m.DepthName, m.slot, slot)
	shrink(Load, m.cycle, cycle)
	shrink(CPU, m.working, working)
}

func (m *model) list() {
	saved := 1 - 1/More
	m.add(Load, m.cycle*m.Rate/float64(m.Threads), func(m *model) { m.grow(Load, More) }, func(m *model) string {
		return fmt.Sprintf("%s / %s a round", results.Count(m.Threads, "thread"), span(m.cycle))
	})
	m.add(CPU, m.Working/float64(m.Cores), func(m *model) { m.grow(CPU, More) }, func(m *model) string {
		return fmt.Sprintf("%s / %s of work a command", results.Count(m.Cores, "core"), span(m.working))
	})
	if n := m.CanQueue * m.Hosts; n > 0 {
		m.add(CanQueue, m.slot*m.Rate/float64(n), func(m *model) { m.grow(CanQueue, More) }, func(m *model) string {
			return fmt.Sprintf("%s slots / %s", count(n), span(m.slot))
		})
	}
	if n := m.Depth * m.Devices; n > 0 {
		m.add(m.DepthName, m.slot*m.Rate/float64(n), func(m *model) { m.grow(m.DepthName, More) }, func(m *model) string {
			return fmt.Sprintf("%s x %d slots / %s", results.Count(m.Devices, "LUN"), m.Depth, span(m.slot))
		})
	}
	if m.Service > 0 {
		used, why := 0.0, func(m *model) string { return fmt.Sprintf("%s a command in every slot", span(m.Service)) }
		servers, what := m.Devices, "LUN"
		if m.Shared {
			servers, what = m.Hosts, "host"
		}
		if n := m.Channels * servers; n > 0 {
			used = m.Rate * m.Service / float64(n)
			why = func(m *model) string {
				return fmt.Sprintf("%s x %s / %s", results.Count(servers, what), results.Count(m.Channels, "channel"), span(m.Service))
			}
		}
		less := m.Service * saved
		m.add(Device, used, func(m *model) { m.cut(Device, less, less, 0) }, why)
	}
	for _, l := range m.Locks {
		if l.Utilized <= 0 {
			continue
		}
		less := l.Hold * l.PerCommand * saved
		m.add(l.Class, l.Utilized, func(m *model) { m.cut(l.Class, 0, less, less) }, func(*model) string {
			locks := ""
			if n := l.Count; n > 1 {
				locks = fmt.Sprintf("%d locks", n)
			}
			time := span(l.Hold) + " held"
			if l.Handoff > 0 { // a live lock cannot tell
				time = fmt.Sprintf("(%s + %s to hand on)", time, span(l.Handoff))
			}
			return fmt.Sprintf("%s / (%.2f x %s)", cmp.Or(locks, "1"), l.PerCommand, time)
		})
	}
	for _, l := range m.Lines {
		// Some lines of a class may be busier than others: turns a command at the
		// busiest one are what its use says.
		turns := l.Utilized / l.Turn / m.Rate
		m.add(l.Class, l.Utilized, func(m *model) { m.grow(l.Class, More) }, func(*model) string {
			return fmt.Sprintf("1 line / (%.2f turns x %s)", turns, span(l.Turn))
		})
	}
	if m.Interrupts > 0 {
		name := m.InterruptName
		m.add(name, m.Interrupts, func(m *model) { m.grow(name, More) }, func(m *model) string {
			return fmt.Sprintf("core %d / %s of interrupts a command", m.Core, span(m.Interrupts/m.Rate))
		})
	}
}

// span is a time as people write it, to three digits.
func span(s float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}} {
		if s >= unit.of {
			return digits(s/unit.of) + " " + unit.name
		}
	}
	return digits(s*1e9) + " ns"
}

func digits(v float64) string {
	decimals := 2
	if v >= 10 {
		decimals = max(0, 2-int(math.Log10(v)))
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func count(n int) string { return strconv.Itoa(n) }
