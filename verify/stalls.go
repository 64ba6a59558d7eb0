package verify

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// stallRates are the stalls that are no finding: by scenario, the highest share of
// schedules, of those in which the plug's timer waits until it must fire, in which
// a shipped strategy stalls. host-lock and unlocked-qcmds do, as 2.6.35 did: a
// run of the queues takes the starved list away from the completions that come
// meanwhile. Measured over 100,000 schedules a strategy with each of the seeds 1 and 2,
// wide over 15,000;
// TestStallRatesAreThoseOfTheShipped holds them to it.
var stallRates = map[string]float64{
	"plain": 0.0304, "target": 0.0758, "host-lock": 0.0355, "one-slot": 0.1080, "device-limit": 0.0060, "wide": 0.0276,
}

// A rate of stalls is a finding where it is above the shipped strategies' by
// morePoints, and would come about by chance once in a million runs.
const (
	morePoints = 0.05
	byChance   = 1e-6
)

// stalls counts, for one scenario, the schedules in which the plug's timers waited
// until they had to fire, and those in which one had to.
type stalls struct{ late, stalled int }

// tooMany is why a strategy's stalls are a finding; "" where they are none.
func tooMany(by map[string]*stalls) (scenario, why string) {
	for _, s := range scenarios {
		n := by[s.Name]
		if n == nil || n.stalled == 0 {
			continue
		}
		rate, base := float64(n.stalled)/float64(n.late), stallRates[s.Name]
		// Survival counts what is above its argument. A base of 0 was a base of
		// less than one in as many schedules as it was measured over.
		p := distuv.Binomial{N: float64(n.late), P: max(base, 1e-4)}.Survival(float64(n.stalled) - 1)
		if rate > base+morePoints && p < byChance {
			return s.Name, fmt.Sprintf("a queue that was refused a slot was restarted by nothing but the 3 ms timer of its plug in %d of %d schedules, where the shipped strategies stall in %.2g %% at most", n.stalled, n.late, 100*base)
		}
	}
	return "", ""
}
