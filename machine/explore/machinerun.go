package explore

import (
	"context"
	"time"

	"hostlock/machine"
)

// Run implements machine.Machine: one random schedule of the machine's seed.
// The plan's times are in steps, a nanosecond each; Stopping becomes true at
// the end of its window. The account has no times.
func (m *Machine) Run(ctx context.Context, plan machine.Plan) (*machine.Account, error) {
	defer m.watched()()
	m.plan = &plan
	defer func() { m.plan = nil }()
	m.run()
	if m.begun && !m.stopping && plan.End != nil {
		plan.End()
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
	if !m.begun && now > m.plan.Warmup {
		m.begun = true
		if m.plan.Begin != nil {
			m.plan.Begin()
		}
	}
	if !m.stopping && (m.halted || now > m.plan.Warmup+m.plan.Duration) {
		m.stopping = true
		if m.plan.End != nil {
			m.plan.End()
		}
	}
}
