package results

import "slices"

// Decimals of what is written. Rounding happens here alone, on the way out:
// in memory every figure keeps what was computed.
const (
	pctDecimals     = 4
	rateDecimals    = 3
	usDecimals      = 3
	secondsDecimals = 9
)

// rounded is a copy of r as it is written: rounded, and with empty lists
// where r has none.
func (r *Result) rounded() *Result {
	c := *r
	c.Schema = Schema
	c.Experiment.Duration = round(c.Experiment.Duration, secondsDecimals)
	c.Experiment.Warmup = round(c.Experiment.Warmup, secondsDecimals)
	c.Parameters = roundedParameters(r.Parameters)
	c.IOPS = round(r.IOPS, rateDecimals)
	c.ThroughputMB = round(r.ThroughputMB, rateDecimals)
	for _, us := range []*float64{&c.Latency.Mean, &c.Latency.P50, &c.Latency.P95, &c.Latency.P99, &c.Latency.P999, &c.Latency.Max} {
		*us = round(*us, usDecimals)
	}
	for _, pct := range []*float64{&c.CPU.Busy, &c.CPU.HostLock, &c.CPU.Contention, &c.Counters.HostLock, &c.Counters.Contention, &c.Fairness.Stddev} {
		*pct = round(*pct, pctDecimals)
	}
	for _, s := range []*Shares{&c.CPU.HostLockByFunction, &c.CPU.ContentionByClass, &c.CPU.Budget} {
		*s = roundedShares(*s)
	}
	c.Locks = append([]Lock{}, r.Locks...)
	c.Fairness.Min = round(r.Fairness.Min, rateDecimals)
	c.Fairness.Max = round(r.Fairness.Max, rateDecimals)
	if r.Published != nil {
		p := *r.Published
		p.Rows = roundedRows(p.Rows)
		c.Published = &p
	}
	c.Warnings = append([]string{}, r.Warnings...)
	c.Live = r.Live.rounded()
	return &c
}

func roundedShares(in Shares) Shares {
	out := slices.Clone(in)
	for i := range out {
		out[i].Value = round(out[i].Value, pctDecimals)
	}
	return out
}

func roundedRows(in []Row) []Row {
	out := append([]Row{}, in...)
	for i := range out {
		out[i].Measured = round(out[i].Measured, pctDecimals)
		out[i].ErrorPct = round(out[i].ErrorPct, pctDecimals)
		out[i].Band = round(out[i].Band, pctDecimals)
	}
	return out
}

func roundedParameters(in []Parameter) []Parameter {
	out := append([]Parameter{}, in...)
	for i := range out {
		if f, ok := out[i].Value.(float64); ok {
			out[i].Value = significant(f, 9)
		}
	}
	return out
}

// rounded is a copy of rep as it is written.
func (rep Reproduction) rounded() Reproduction {
	rep.Rows = roundedRows(rep.Rows)
	rep.Fitted = append([]string{}, rep.Fitted...)
	return rep
}
