package explore

import (
	"context"
	"time"

	"hostlock/machine"
)

// Run implements machine.Machine: one random schedule of the machine's seed.
// The course's times are in steps, a nanosecond each; Stopping becomes true at
// the end of its window. The account has no times.
func (m *Machine) Run(ctx context.Context, course machine.Course) (*machine.Account, error) {
	defer m.watched()()
	m.course = &course
	defer func() { m.course = nil }()
	m.run()
	if m.begun && !m.stopping && course.End != nil {
		course.End()
	}
	a := &machine.Account{Cores: m.cfg.Cores, Window: time.Duration(m.steps), Events: int64(m.steps), Cut: m.halted}
	if m.failure != nil {
		return a, m.failure
	}
	return a, ctx.Err()
}

// phase is called at each decision of such a run.
func (m *Machine) phase() {
	now := time.Duration(m.steps)
	if !m.begun && now > m.course.Warmup {
		m.begun = true
		if m.course.Begin != nil {
			m.course.Begin()
		}
	}
	if !m.stopping && (m.halted || now > m.course.Warmup+m.course.Duration) {
		m.stopping = true
		if m.course.End != nil {
			m.course.End()
		}
	}
}
