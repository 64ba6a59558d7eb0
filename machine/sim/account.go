package sim

import (
	"time"

	"hostlock/machine"
)

// beginWindow forgets what was booked so far: no figure contains the warm-up.
func (s *Sim) beginWindow() {
	s.began, s.opened = s.now, true
	s.runnable(0)
	s.readyFor = 0
	s.split()
	for _, c := range s.classes {
		c.stat = machine.LockStat{Class: c.stat.Class, Locks: c.stat.Locks}
	}
	for _, c := range s.cores {
		clear(c.tally)
		clear(c.holds)
		c.idle = max(0, c.idleUntil-s.now)
		if c.idleSince >= 0 {
			c.idleSince = max(c.idleSince, s.now)
		}
	}
	for _, l := range s.lines[1:] {
		l.busy, l.served = 0, 0
	}
	for _, l := range s.locks[1:] {
		l.area, l.areaSince = 0, s.now
	}
	s.booked(1)
}

// booked moves what procs whose clocks are ahead have booked beyond now: into
// a window that begins, or out of one that ends. So a budget closes however
// short its window is.
func (s *Sim) booked(sign int64) {
	for _, p := range s.procs {
		if over := p.t - max(s.now, p.ahead); over > 0 && p.state == running && p.last != 0 {
			p.core.tally[p.last].ns += sign * over
		}
	}
}

// split books the part of every stretch under way that lies before now.
func (s *Sim) split() {
	for _, p := range s.procs {
		switch p.state {
		case working:
			p.charge(machine.Working, 0, s.now-p.workStart)
			p.workStart = s.now
		case spinning:
			p.charge(p.spinWhat, p.spinClass, s.now-p.spinStart)
			p.spinStart = s.now
		}
	}
}

// level takes away the few nanoseconds below zero that moving whole charges
// across an edge leaves in a place where little was charged: the core's largest
// place bears them, and its sum stays exact.
func (s *Sim) level() {
	for _, c := range s.cores {
		short, largest := int64(0), (*tally)(nil)
		for b := range c.tally {
			if b == 0 || s.buckets[b].lock {
				continue
			}
			t := &c.tally[b]
			if t.ns < 0 {
				short += t.ns
				t.ns = 0
			}
			if largest == nil || t.ns > largest.ns {
				largest = t
			}
		}
		if largest != nil && largest.ns+short >= 0 {
			largest.ns += short
		}
	}
}

// endWindow adds everything up.
func (s *Sim) endWindow() {
	s.split()
	s.booked(-1)
	s.level()
	for _, l := range s.locks[1:] { // waits under way count as far as they have come
		for i := range l.waiters.len() {
			l.cls.stat.Within += time.Duration(max(0, s.now-max(l.waiters.at(i).since, s.began)))
		}
	}
	s.runnable(0)
	a := &machine.Account{
		Cores: len(s.cores), Began: time.Duration(s.began), Window: time.Duration(s.now - s.began),
		Ready: time.Duration(s.readyFor), Events: s.events,
	}
	for _, c := range s.cores {
		idle := c.idle - max(0, c.idleUntil-s.now)
		if c.idleSince >= 0 {
			idle += s.now - c.idleSince
		}
		a.Samples = append(a.Samples, machine.Sample{
			What: machine.Idle, Core: c.id, Socket: c.socket, Count: 1, Time: time.Duration(idle),
		})
	}
	for i, b := range s.buckets[1:] {
		section := ""
		if b.node.section != nil {
			section = b.node.section.Name
		}
		path, hard := b.node.path(), b.node.root().hard
		for _, c := range s.cores {
			m := machine.Sample{
				Stack: b.stack, What: b.what, Section: section, Path: path,
				Class: s.names[b.class], Core: c.id, Socket: c.socket, Hard: hard,
			}
			if b.lock {
				h := c.holds[i+1]
				m.Hold, m.Blocked, m.Holds = time.Duration(h.held), time.Duration(h.blocked), h.n
				if m.Holds == 0 {
					continue
				}
			} else {
				t := c.tally[i+1]
				m.Time, m.Count = time.Duration(t.ns), t.n
				if m.Time == 0 && m.Count == 0 {
					continue
				}
			}
			a.Samples = append(a.Samples, m)
		}
	}
	for _, c := range s.lockOrder {
		a.Locks = append(a.Locks, s.classes[c].stat)
	}
	a.Lines = s.lineStats()
	s.acct = a
}

// lineStats sums lines up by class, in the order of their first use.
func (s *Sim) lineStats() []machine.LineStat {
	var out []machine.LineStat
	at := map[int32]int{}
	for _, l := range s.lines[1:] {
		if l.served == 0 {
			continue
		}
		i, ok := at[l.class]
		if !ok {
			i = len(out)
			at[l.class] = i
			out = append(out, machine.LineStat{Class: s.names[l.class]})
		}
		st := &out[i]
		st.Lines++
		st.Served += l.served
		st.Busy += time.Duration(l.busy)
		st.Hottest = max(st.Hottest, time.Duration(l.busy))
	}
	return out
}
