package compare

import (
	"fmt"
	"strings"

	"hostlock/results"
)

// leastShare is the share of busy time below which no lock is worth a word, in
// percent.
const leastShare = 0.05

// words are what the table says, a side's closing sentence last.
func (rep *Report) words() []string {
	var lines []string
	if rep.ranged() {
		c := rep.of(1, figures[0].name)
		lines = append(lines,
			"shares are of busy time; noise is chance, over the runs",
			fmt.Sprintf("sets that fit: least and most over %d parameter sets that meet the same figures: what is not known", c.FitSets))
	}
	if rep.plan != nil && rep.plan.usedToFit() {
		lines = append(lines, "the rates of all sides were used to fit: that these differ so is no prediction")
	}
	if rep.Note != "" {
		lines = append(lines, rep.Note)
	}
	if rep.machine() == "live" {
		lines = append(lines, "runs of all sides took turns on this computer; p by the Mann-Whitney U-test")
	}
	for i := range rep.Sides[1:] {
		if s := rep.latency(i + 1); s != "" {
			lines = append(lines, s)
		}
	}
	for i := range rep.Sides[1:] {
		lines = append(lines, rep.Closing(i+1))
	}
	return lines
}

func (rep *Report) machine() string {
	if len(rep.Sides[0].Runs) == 0 {
		return ""
	}
	return rep.Sides[0].Runs[0].Experiment.Machine
}

// Closing is one sentence on a side: how much it differs from the first, how
// certain that is, what still takes time, and what bounds it next.
func (rep *Report) Closing(side int) string {
	c, b := rep.of(side, figures[0].name), rep.Sides[side]
	s := fmt.Sprintf("%s is %s", b.Name, c.verdict())
	if len(rep.Sides) > 2 {
		s += " than " + rep.Sides[0].Name
	}
	noise := "simulation noise"
	if rep.machine() == "live" {
		noise = "noise of the runs"
	}
	var sure []string
	if c.FitLow != nil {
		sure = append(sure, fmt.Sprintf("%.1f to %.1f over parameter sets that fit as well", *c.FitLow, *c.FitHigh))
	}
	switch {
	case c.Low != nil:
		sure = append(sure, fmt.Sprintf("%s %.1f", noise, (*c.High-*c.Low)/2))
	case c.Runs == 1:
		sure = append(sure, "one run a side: its noise is not known")
	}
	if !c.Paired {
		sure = append(sure, "runs are not paired")
	}
	if len(sure) > 0 {
		s += " (" + strings.Join(sure, "; ") + ")"
	}
	s += "; " + stillTakes(b.Runs)
	if side < len(rep.next) && rep.next[side] != "" {
		s += "; next bound: " + rep.next[side]
	}
	return s
}

// stillTakes names the lock that costs most, and where.
func stillTakes(runs []*results.Result) string {
	class, most := largest(runs, func(r *results.Result) results.Shares { return r.CPU.ContentionByClass })
	if most < leastShare {
		return "no lock takes time"
	}
	s := fmt.Sprintf("%s still takes %.*f %%", class, decimals(most), most)
	if class == "host_lock" {
		where, share := largest(runs, func(r *results.Result) results.Shares { return r.CPU.HostLockByFunction })
		if share > 0 && where != results.Other {
			s += ", mostly in " + where
		}
	}
	return s
}

func decimals(v float64) int {
	if v < 10 {
		return 1
	}
	return 0
}

// largest is the largest share, by its mean over the runs.
func largest(runs []*results.Result, of func(*results.Result) results.Shares) (string, float64) {
	var sum results.Shares
	for _, r := range runs {
		for _, s := range of(r) {
			have, _ := sum.Get(s.Name)
			sum.Set(s.Name, have+s.Value/float64(len(runs)))
		}
	}
	name, most := "", 0.0
	for _, s := range sum {
		if s.Value > most {
			name, most = s.Name, s.Value
		}
	}
	return name, most
}

// latency explains a latency that rises though the side is no slower; "" where
// it does not.
func (rep *Report) latency(side int) string {
	rate, mean := rep.of(side, "iops"), rep.of(side, "latency_us.mean")
	if rate == nil || mean == nil || !mean.Significant || mean.Change < 1 || rate.Significant && rate.Change < 0 {
		return ""
	}
	b := rep.Sides[side]
	const us = 1e-6
	before, after := rate.MedianA*mean.MedianA*us, rate.MedianB*mean.MedianB*us
	s := fmt.Sprintf("latency under %s rises by %.1f %%: %.0f commands are on their way at once, %.0f under %s (rate x latency)",
		b.Name, mean.Change, after, before, rep.Sides[0].Name)
	threads := float64(b.Runs[0].Experiment.Threads)
	if a := float64(rep.Sides[0].Runs[0].Experiment.Threads); a != threads {
		return s
	}
	roundA, roundB := threads/rate.MedianA/us, threads/rate.MedianB/us
	if outA, outB := roundA-mean.MedianA, roundB-mean.MedianB; outB > 0 && outB < outA {
		s += fmt.Sprintf("; a thread's whole turn falls from %.0f to %.0f us, since what it waits for before it submits falls from %.0f to %.0f",
			roundA, roundB, outA, outB)
	}
	return s
}
