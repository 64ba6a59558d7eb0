package profiles

import (
	"github.com/google/pprof/profile"

	"hostlock/machine"
)

// CPU makes a CPU profile of an account: samples/count and cpu/nanoseconds,
// the time that cores were busy. Idle time is left out, as it is from a
// profile of real cores. The value is every virtual nanosecond, the period is
// one nanosecond, and samples counts the stretches of time that were added up.
func CPU(a *machine.Account, info Info) (*profile.Profile, error) {
	if err := check(a); err != nil {
		return nil, err
	}
	set := newRowSet(2)
	for i := range a.Samples {
		m := &a.Samples[i]
		if m.What != machine.Idle && m.Time > 0 {
			set.add(m, leafOf(m), m.What.String(), m.Count, int64(m.Time))
		}
	}
	info.Figures = figuresExact
	b := newBuilder(info, int64(a.Window),
		&profile.ValueType{Type: "samples", Unit: "count"},
		&profile.ValueType{Type: "cpu", Unit: "nanoseconds"})
	b.p.PeriodType = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	b.p.Period = 1
	b.p.DefaultSampleType = "cpu"
	for _, r := range set.sorted() {
		b.add(r)
	}
	return b.finish()
}
