package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// number prints a figure for people: two decimals, none from 1000 up.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 999.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 99.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// signed is number with its sign always there.
func signed(v float64) string {
	if s := number(v); strings.HasPrefix(s, "-") {
		return s
	} else {
		return "+" + s
	}
}

// exact prints a number as it was written: published figures and bands.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// nanos prints nanoseconds in the unit that suits them.
func nanos(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < 10*time.Microsecond:
	case d < 10*time.Millisecond:
		d = d.Round(10 * time.Nanosecond)
	default:
		d = d.Round(10 * time.Microsecond)
	}
	return d.String()
}

// seconds prints seconds as people write them: 2s, 500ms.
func seconds(s float64) string {
	d := time.Duration(math.Round(s * 1e9))
	if d >= time.Millisecond {
		d = d.Round(time.Microsecond) // a window that begins at 1 ns
	}
	return d.String()
}

// round keeps a number of decimals. Infinities and NaN, which JSON cannot
// say, are faults of the program and are left for the encoder to refuse.
func round(v float64, decimals int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
	if err != nil || r == 0 {
		return 0 // and never minus zero
	}
	return r
}

// significant keeps a number of significant digits.
func significant(v float64, digits int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return r
}

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
	c.Bound, c.Occupancy = r.Bound.rounded(), r.Occupancy.rounded()
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
	c.Lines = append([]Line{}, r.Lines...)
	for i := range c.Lines {
		c.Lines[i].Busy = round(c.Lines[i].Busy, pctDecimals)
	}
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

// Metric is a figure of a result by the name that published rows use:
// "iops", "throughput_mb_s", "host_lock_pct", "contention_pct", "busy_pct", or
// one of the four functions with "_pct" behind it.
func (r *Result) Metric(name string) (float64, bool) {
	switch name {
	case "iops":
		return r.IOPS, true
	case "throughput_mb_s":
		return r.ThroughputMB, true
	case "host_lock_pct":
		return r.CPU.HostLock, true
	case "contention_pct":
		return r.CPU.Contention, true
	case "busy_pct":
		return r.CPU.Busy, true
	}
	if function, ok := strings.CutSuffix(name, "_pct"); ok {
		for _, known := range Functions {
			if function == known {
				v, _ := r.CPU.HostLockByFunction.Get(function) // absent is none of it
				return v, true
			}
		}
	}
	return 0, false
}

// Gain is by how many points of percent r has more of a metric than base.
func (r *Result) Gain(base *Result, metric string) (float64, error) {
	now, ok := r.Metric(metric)
	was, okBase := base.Metric(metric)
	if !ok || !okBase {
		return 0, fmt.Errorf("no figure %q in a result", metric)
	}
	if was == 0 {
		return 0, fmt.Errorf("no gain of %s over a run in which it is 0", metric)
	}
	return 100 * (now/was - 1), nil
}

// The paths that take the host lock in the published profile, in its order and
// the kernel's spelling, and what is none of them.
const (
	DispatchCmd  = "scsi_dispatch_cmd"
	DeviceUnbusy = "scsi_device_unbusy"
	RequestFn    = "scsi_request_fn"
	RunQueue     = "scsi_run_queue"
	Other        = "other"
)

// Functions are the rows of the published profile, in its order.
var Functions = []string{DispatchCmd, DeviceUnbusy, RequestFn, RunQueue}
