package profiles

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"github.com/google/pprof/profile"

	"hostlock/machine"
)

// CPUOptions chooses between exact figures and virtual sampling.
type CPUOptions struct {
	// Period is the mean busy time between two samples, added up over all
	// cores; 0 gives exact figures.
	Period time.Duration
	// Seed of the sampling instants; the same seed picks the same ones.
	Seed uint64
}

// maxVirtualSamples bounds the work of sampling. A profiler at 250 Hz on 1024
// cores needs six minutes for as many.
const maxVirtualSamples = 100_000_000

// CPU makes a CPU profile of an account: samples/count and cpu/nanoseconds,
// the time that cores were busy. Idle time is left out, as it is from a
// profile of real cores.
//
// With exact figures the value is every virtual nanosecond, the period is one
// nanosecond, and samples counts the stretches of time that were added up.
// With a period, samples fall on random instants of busy time, so that the
// profile has the sampling error that a real one of its length would have.
func CPU(a *machine.Account, info Info, opts CPUOptions) (*profile.Profile, error) {
	if err := check(a); err != nil {
		return nil, err
	}
	if opts.Period < 0 {
		return nil, fmt.Errorf("profiles: sampling period %v is negative", opts.Period)
	}
	set := newRowSet(2)
	for i := range a.Samples {
		m := &a.Samples[i]
		if m.What != machine.Idle && m.Time > 0 {
			set.add(m, leafOf(m), m.What.String(), m.Count, int64(m.Time))
		}
	}
	rows := set.sorted()
	info.Figures = figuresExact
	period := int64(1)
	if opts.Period > 0 {
		info.Figures = figuresSampled
		period = int64(opts.Period)
		var err error
		if rows, err = sample(rows, period, opts.Seed); err != nil {
			return nil, err
		}
	}
	b := newBuilder(info, int64(a.Window),
		&profile.ValueType{Type: "samples", Unit: "count"},
		&profile.ValueType{Type: "cpu", Unit: "nanoseconds"})
	b.p.PeriodType = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	b.p.Period = period
	b.p.DefaultSampleType = "cpu"
	for _, r := range rows {
		b.add(r)
	}
	return b.finish()
}

// samplingStream tells this use of a seed from every other.
const samplingStream = 0x70726f66696c65

// sample replaces exact times by counts of instants that fell into them.
// Every instant is drawn on its own over all busy time: spacing them evenly
// along the sorted rows would hide the very error that sampling is to show.
func sample(rows []*row, period int64, seed uint64) ([]*row, error) {
	ends := make([]int64, len(rows))
	var total int64
	for i, r := range rows {
		if r.values[1] > math.MaxInt64-total {
			return nil, errors.New("profiles: the busy time of the account overflows")
		}
		total += r.values[1]
		ends[i] = total
		r.values[0], r.values[1] = 0, 0
	}
	n := total / period
	if n > maxVirtualSamples {
		return nil, fmt.Errorf("profiles: sampling period %v makes %d samples of %v busy time; at most %d",
			time.Duration(period), n, time.Duration(total), maxVirtualSamples)
	}
	if n == 0 && total > 0 {
		return nil, fmt.Errorf("profiles: sampling period %v is longer than all busy time, %v",
			time.Duration(period), time.Duration(total))
	}
	rng := rand.New(rand.NewPCG(seed, samplingStream))
	for range n {
		at := rng.Int64N(total)
		i := sort.Search(len(ends), func(i int) bool { return ends[i] > at })
		rows[i].values[0]++
		rows[i].values[1] += period
	}
	kept := rows[:0]
	for _, r := range rows {
		if r.values[0] > 0 {
			kept = append(kept, r)
		}
	}
	return kept, nil
}
