package machine

import (
	"fmt"
	"sort"
	"time"

	"hostlock/machine/computer"
)

// window is what the machine looked at when the measured window began.
type window struct {
	watch  *computer.Watch
	from   int64
	cpu    time.Duration
	cpuOK  bool
	polled time.Duration
	yields int64
}

// beginWindow looks at everything that is to be counted. The slow looks come
// first, so that the window begins with the cheap ones.
func (m *Live) beginWindow(c Course) *window {
	w := &window{watch: computer.StartWatch()}
	m.resetLocks()
	m.mu.Lock()
	for t := range m.threads {
		t.baseSites()
	}
	for _, lt := range m.timers {
		lt.thread.baseSites()
	}
	m.retired = newSiteTable()
	m.mu.Unlock()
	if c.Begin != nil {
		c.Begin()
	}
	w.yields, w.polled = m.yields.Load(), m.polled()
	w.cpu, w.cpuOK = computer.ProcessCPU()
	w.from = m.nano()
	return w
}

// endWindow looks again, and writes the account.
func (m *Live) endWindow(w *window, c Course, acc *Account) {
	r := &m.report
	r.Window = time.Duration(m.nano() - w.from)
	cpu, ok := computer.ProcessCPU()
	r.Polled, r.Yields = m.polled()-w.polled, m.yields.Load()-w.yields
	r.CPU, r.CPUKnown = cpu-w.cpu, ok && w.cpuOK
	if c.End != nil {
		c.End()
	}
	sites := m.collectSites()
	acc.Locks = m.readLocks()
	r.Neighbours = w.watch.Stop()
	r.Spun = sites.spun
	r.Calibration = m.cfg.Calibration

	acc.Window = r.Window
	acc.Samples = append(sites.samples(), m.budget()...)
	if warning := r.Neighbours.Warning(); warning != "" {
		acc.note("%s", warning)
	}
	if r.CPUKnown && r.Spun > r.Busy() {
		acc.note("by the clock, %v were spun of %v of processor time that was used: spinners were preempted, and the account does not add up",
			r.Spun.Round(time.Millisecond), r.Busy().Round(time.Millisecond))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	classes := make([]string, 0, len(m.busy))
	for class := range m.busy {
		classes = append(classes, class)
	}
	sort.Strings(classes)
	for _, class := range classes {
		acc.note("%d locks of class %s were held all the time that they were to be read: their counts are left out", m.busy[class], class)
	}
}

// budget is what the process used of the window, beside what its threads spun.
// It adds up to cores times window, unless spinners were preempted. Waiting for
// cache lines and failed retries are in Working: nothing here can tell them.
func (m *Live) budget() []Sample {
	r := &m.report
	if !r.CPUKnown {
		return nil
	}
	whole := r.Window * time.Duration(m.cfg.Cores)
	busy := min(r.Busy(), whole)
	return []Sample{
		{What: Working, Core: -1, Socket: -1, Count: 1, Time: max(busy-r.Spun, 0)},
		{What: Idle, Core: -1, Socket: -1, Count: 1, Time: whole - busy},
	}
}

// collectSites ends the counting of lost time, and adds it up.
func (m *Live) collectSites() *siteTable {
	m.mu.Lock()
	defer m.mu.Unlock()
	table := m.retired
	m.retired = nil
	for t := range m.threads {
		table.addThread(t)
	}
	for _, lt := range m.timers {
		table.addThread(lt.thread)
	}
	return table
}

// resetLocks begins the window of every lock.
func (m *Live) resetLocks() {
	for _, l := range m.allLocks() {
		if !l.seize(m, func(acquired int64) {
			l.live.before, l.live.contended = acquired, 0
			l.live.wait, l.live.hold = Extremes{}, Extremes{}
		}) {
			m.mu.Lock()
			m.busy[l.Class()]++
			m.mu.Unlock()
		}
	}
}

// readLocks ends the window of every lock, and adds them up by class.
func (m *Live) readLocks() []LockStat {
	byClass := map[string]*LockStat{}
	for _, l := range m.allLocks() {
		st := byClass[l.Class()]
		if st == nil {
			st = &LockStat{Class: l.Class(), HoldSampled: true}
			byClass[l.Class()] = st
		}
		if !l.seize(m, func(acquired int64) {
			st.Locks++
			st.Acquisitions += acquired - l.live.before
			st.Contentions += l.live.contended
			st.Wait.Merge(l.live.wait)
			st.Within += l.live.wait.Total // what began before is not told apart
			st.Hold.Merge(l.live.hold)
		}) {
			m.mu.Lock()
			m.busy[l.Class()]++
			m.mu.Unlock()
		}
	}
	rows := make([]LockStat, 0, len(byClass))
	for _, st := range byClass {
		rows = append(rows, *st)
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Class < rows[j].Class })
	return rows
}

// allLocks is a copy of the list: a lock that is held for long must not keep
// threads from being added.
func (m *Live) allLocks() []*SpinLock {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*SpinLock(nil), m.locks...)
}

// note adds a remark on the run.
func (a *Account) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// LiveReport is what only a live run has to say, over its window and in real
// time.
type LiveReport struct {
	Window      time.Duration
	CPU         time.Duration // of this process, by the system's count
	CPUKnown    bool
	Polled      time.Duration // what idle pollers used of it
	Spun        time.Duration // by the clock, without the time that others ran meanwhile
	Yields      int64         // how often a spinner reached the spin limit
	Neighbours  computer.Neighbours
	TimerLate   Extremes // of one timer in 16, over the whole run
	Calibration float64
}

// Busy is the processor time that was not idling: the denominator of every
// share.
func (r LiveReport) Busy() time.Duration { return max(r.CPU-r.Polled, 0) }

// SpinShare is the share of busy time that was spun, by the locks' clocks;
// 0 where the system does not say what was used.
func (r LiveReport) SpinShare() float64 {
	if !r.CPUKnown || r.Busy() == 0 {
		return 0
	}
	return float64(r.Spun) / float64(r.Busy())
}

// Report is valid once Run has returned.
func (m *Live) Report() LiveReport { return m.report }
