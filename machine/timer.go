package machine

import "time"

// Level is the context that a timer or interrupt handler runs in.
type Level uint8

const (
	// Device is hardware: it runs beside the cores and costs none of them
	// anything. It must not lock or wait; it posts results and raises
	// interrupts.
	Device Level = iota
	// Hard is a hardware interrupt: it preempts everything but another one
	// and runs with interrupts off.
	Hard
	// Soft is a softirq: it preempts threads, runs with interrupts on, and
	// hardware interrupts preempt it.
	Soft
)

// Timer calls its function once, some time after it was armed. A Device timer
// fires beside the cores; a Soft one on the core that armed it, as the
// kernel's timer_list does.
type Timer struct {
	fn    func(*Thread)
	level Level
	name  string
	live  liveTimer
	// Slot is the machine's own index of the timer, 0 before its first use.
	Slot int
}

// Init makes the timer ready. The level is Device or Soft.
func (tm *Timer) Init(m Machine, name string, level Level, fn func(*Thread)) {
	tm.name, tm.level, tm.fn = name, level, fn
	m.adoptTimer(tm)
}

// Func, Level and Name are what Init was given.
func (tm *Timer) Func() func(*Thread) { return tm.fn }
func (tm *Timer) Level() Level        { return tm.level }
func (tm *Timer) Name() string        { return tm.name }

// Arm makes the timer fire d from now, replacing an earlier deadline.
func (tm *Timer) Arm(t *Thread, d time.Duration) {
	if t.hook != nil {
		t.hook.Arm(tm, d)
		return
	}
	tm.live.arm(t, d)
}

// Disarm stops the timer and reports whether it was armed and now will not
// fire. A false answer means that it has fired or is about to.
func (tm *Timer) Disarm(t *Thread) bool {
	if t.hook != nil {
		return t.hook.Disarm(tm)
	}
	return tm.live.disarm()
}

// IRQ is an interrupt line, or a softirq: raised on a core, it runs its
// function there once, however often it was raised before that began.
type IRQ struct {
	fn    func(*Thread)
	level Level
	name  string
	live  liveIRQ
	// Slot is the machine's own index of the interrupt, 0 before its first use.
	Slot int
}

// Init makes the interrupt ready. The level is Hard or Soft.
func (q *IRQ) Init(m Machine, name string, level Level, fn func(*Thread)) {
	q.name, q.level, q.fn = name, level, fn
	m.adoptIRQ(q)
}

// Func, Level and Name are what Init was given.
func (q *IRQ) Func() func(*Thread) { return q.fn }
func (q *IRQ) Level() Level        { return q.level }
func (q *IRQ) Name() string        { return q.name }

// Raise makes the interrupt pending on a core. From another core it costs the
// receiver the way of an inter-processor interrupt.
func (q *IRQ) Raise(t *Thread, core int) {
	if t.hook != nil {
		t.hook.Raise(q, core)
		return
	}
	q.live.raise(core)
}
