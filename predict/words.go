package predict

import (
	"fmt"
	"strings"

	"hostlock/lockload"
)

// nearLimit is how much more load makes a lock one's problem.
const nearLimit = 1.25

// words is the answer, in the sentences that come first.
func (p *Prediction) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s. ", p.Lock, p.now())
	switch {
	case p.Open:
		fmt.Fprintf(&b, "The processors are %.0f %% busy, so more cores change nothing by themselves: the answer is in load. "+
			"The lock takes %.2g times today's at most", p.Today.BusyPct, p.Bound.Times)
	case p.BoundsOnly:
		fmt.Fprintf(&b, "Bounds only, since the model does not reproduce the record: %s", p.missed())
	default:
		b.WriteString(p.ahead())
	}
	return b.String() + "."
}

// now says whether the lock is a problem today.
func (p *Prediction) now() string {
	limit := fmt.Sprintf("%s a second at most (1 / (%s held + %s hand-off)), and makes %s",
		lockload.Rate(p.Bound.PerS), lockload.Ns(p.Bound.HoldNs), lockload.Ns(p.Bound.HandOffNs), lockload.Rate(p.Today.OpsPerS))
	switch {
	case p.Bound.PerS == 0:
		return "is only read: no writer bounds it"
	case p.Bound.Times < nearLimit:
		return "is at its limit: it makes " + limit
	}
	return "is not at its limit: it makes " + limit
}

func (p *Prediction) missed() string {
	for _, c := range p.SelfCheck {
		if !c.OK {
			return fmt.Sprintf("%s is %s, predicted %s", c.Figure, c.value(c.Recorded), c.value(c.Predicted))
		}
	}
	return "it has nothing to be held against"
}

func (c *Check) value(v float64) string {
	switch c.Unit {
	case "1/s":
		return lockload.Rate(v)
	case "ns":
		return lockload.Ns(v)
	case "%":
		return fmt.Sprintf("%.1f %%", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// ahead says what the most cores give as it is, and under the best design.
func (p *Prediction) ahead() string {
	var as, best *Row
	for i := range p.Predictions {
		r := &p.Predictions[i]
		if r.None != "" {
			continue
		}
		if r.Design == p.Predictions[0].Design && (as == nil || r.Cores > as.Cores) {
			as = r
		}
	}
	if as == nil {
		return "No prediction: " + p.Predictions[0].None
	}
	for i := range p.Predictions {
		r := &p.Predictions[i]
		if r.None == "" && r.Cores == as.Cores && (best == nil || r.Range.Mid > best.Range.Mid) {
			best = r
		}
	}
	grows := ""
	if p.Today.Cores < as.Cores {
		grows = fmt.Sprintf(", %.2g times today's on %.2g times the cores", as.Range.Mid/p.Today.OpsPerS, float64(as.Cores)/float64(p.Today.Cores))
	}
	text := fmt.Sprintf("On %d cores it makes %s (%s to %s)%s", as.Cores, lockload.Rate(as.Range.Mid), lockload.Rate(as.Range.Low), lockload.Rate(as.Range.High), grows)
	if best.Design != as.Design && best.Range.Low > as.Range.High {
		text += fmt.Sprintf("; %s would make %s (%s to %s)", best.Design, lockload.Rate(best.Range.Mid), lockload.Rate(best.Range.Low), lockload.Rate(best.Range.High))
	} else if best.Design != as.Design {
		text += "; no other design is clearly faster"
	}
	return text
}
