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

// whatHold is the "what" of rows that hold a lock, in the contention profile
// alone: there the same place may both wait and hold.
const whatHold = "hold"

// Contention makes a profile of who waited for whom:
//
//	contentions/count   waits, charged to the waiter
//	wait/nanoseconds    how long, charged to the waiter
//	blocked/nanoseconds what a holder made others wait, charged to the holder
//	hold/nanoseconds    how long locks were held, charged to the holder
//
// wait is contention as the lab defines it: spinning on any lock, failed
// compare-and-swap retries, and waiting for a cache line that serves another
// core. pprof shows wait unless -sample_index says otherwise.
func Contention(a *machine.Account, info Info) (*profile.Profile, error) {
	if err := check(a); err != nil {
		return nil, err
	}
	set := newRowSet(4)
	for i := range a.Samples {
		m := &a.Samples[i]
		if m.What.Contention() && m.Time > 0 {
			set.add(m, leafOf(m), m.What.String(), m.Count, int64(m.Time), 0, 0)
		}
		if m.Blocked > 0 || m.Hold > 0 {
			set.add(m, whatHold+":"+m.Class, whatHold, 0, 0, int64(m.Blocked), int64(m.Hold))
		}
	}
	info.Figures = figuresContention
	b := newBuilder(info, int64(a.Window),
		&profile.ValueType{Type: "contentions", Unit: "count"},
		&profile.ValueType{Type: "wait", Unit: "nanoseconds"},
		&profile.ValueType{Type: "blocked", Unit: "nanoseconds"},
		&profile.ValueType{Type: "hold", Unit: "nanoseconds"})
	b.p.PeriodType = &profile.ValueType{Type: "wait", Unit: "nanoseconds"}
	b.p.Period = 1
	b.p.DefaultSampleType = "wait"
	for _, r := range set.sorted() {
		b.add(r)
	}
	return b.finish()
}
