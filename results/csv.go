package results

import (
	"encoding/csv"
	"io"
	"strconv"
)

// writeCSV prints one figure a line: its name as the JSON has it, with dots
// for depth, its value, its unit, and whether it is simulated, measured,
// published, fitted or a parameter with a source.
func writeCSV(w io.Writer, r *Result) error {
	r = r.rounded()
	c := &csvFigures{w: csv.NewWriter(w), how: r.How()}
	c.row("name", "value", "unit", "how", "source")
	e := r.Experiment
	for _, kv := range [][2]string{{"name", e.Name}, {"strategy", e.Strategy}, {"driver", e.Driver}, {"workload", e.Workload}, {"machine", e.Machine}} {
		c.row("experiment."+kv[0], kv[1], "", "set", "")
	}
	c.row("experiment.cores", strconv.Itoa(e.Cores), "", "set", "")
	c.row("experiment.threads", strconv.Itoa(e.Threads), "", "set", "")
	c.row("experiment.duration_s", exact(e.Duration), "s", "set", "")
	c.row("experiment.warmup_s", exact(e.Warmup), "s", "set", "")
	c.row("experiment.seed", strconv.FormatUint(e.Seed, 10), "", "set", "")
	c.row("partial", strconv.FormatBool(r.Partial), "", "", "")
	if r.Ended != "" {
		c.row("ended", r.Ended, "", "", "")
	}
	for _, p := range r.Parameters {
		how := "parameter"
		if p.Fitted {
			how = "fitted"
		}
		c.row("parameters."+p.Name, p.csvValue(), p.Unit, how, p.Source)
	}
	c.figures(r)
	for _, l := range r.Locks {
		c.lock(l)
	}
	if l := r.Live; l != nil {
		c.float("live.time_scale", l.Scale, "")
		c.count("live.cpu_samples", l.Samples, "")
		if !l.Disturbed() { // or it would pass for the whole error
			c.float("live.host_lock_pct_stderr", l.StdErr(r.CPU.HostLock), "points")
		}
		c.float("live.other_processes_cpu", l.Neighbours, "processors")
	}
	if r.Published != nil {
		for _, row := range r.Published.Rows {
			c.row("published."+row.Name, exact(row.Published), "", "published", r.Published.Source)
		}
	}
	for i, w := range r.Warnings {
		c.row("warnings."+strconv.Itoa(i+1), w, "", "", "")
	}
	return c.flush()
}

func (p Parameter) csvValue() string {
	if f, ok := p.Value.(float64); ok {
		return exact(f)
	}
	return Parameter{Value: p.Value}.Text()
}

// csvFigures writes lines and keeps the first error.
type csvFigures struct {
	w   *csv.Writer
	how string
	err error
}

func (c *csvFigures) row(fields ...string) {
	if err := c.w.Write(fields); c.err == nil {
		c.err = err
	}
}

func (c *csvFigures) flush() error {
	c.w.Flush()
	if c.err != nil {
		return c.err
	}
	return c.w.Error()
}

func (c *csvFigures) float(name string, v float64, unit string) {
	c.row(name, exact(v), unit, c.how, "")
}

func (c *csvFigures) count(name string, n int64, unit string) {
	c.row(name, strconv.FormatInt(n, 10), unit, c.how, "")
}

func (c *csvFigures) shares(name string, s Shares, unit string) {
	for _, e := range s {
		c.float(name+"."+e.Name, e.Value, unit)
	}
}

func (c *csvFigures) figures(r *Result) {
	const ofBusy, ofAll = "% of busy time", "% of cores x time"
	c.float("iops", r.IOPS, "1/s")
	c.float("throughput_mb_s", r.ThroughputMB, "10^6 bytes/s")
	if b := r.Bound; b != nil {
		c.row("bound.by", b.By, "", c.how, b.Why)
		c.float("bound.limit", b.Limit, "1/s")
		c.float("bound.reached_pct", b.Reached, "% of the limit")
		if b.Next != nil {
			c.row("bound.next.by", b.Next.By, "", c.how, "")
			c.float("bound.next.limit", b.Next.Limit, "1/s")
		}
	}
	if o := r.Occupancy; o != nil {
		c.float("occupancy.in_flight_mean", o.InFlight, "commands")
		c.float("occupancy.host_full_pct", o.HostFull, "% of time")
		c.float("occupancy.device_full_pct", o.DeviceFull, "% of time with work")
	}
	for _, o := range r.Operations {
		c.count("operations."+o.Name, o.Value, "")
	}
	c.count("commands.issued", r.Commands.Issued, "")
	c.count("commands.completed", r.Commands.Completed, "")
	c.count("commands.failed", r.Commands.Failed, "")
	c.count("commands.requeued", r.Commands.Requeued, "")
	c.count("commands.lost", r.Commands.Lost, "")
	for _, q := range r.Latency.quantiles() {
		c.float("latency_us."+q.Name, q.Value, "us")
	}
	c.float("cpu.busy_pct", r.CPU.Busy, ofAll)
	c.float("cpu.host_lock_pct", r.CPU.HostLock, ofBusy)
	c.shares("cpu.host_lock_by_function_pct", r.CPU.HostLockByFunction, ofBusy)
	c.float("cpu.contention_pct", r.CPU.Contention, ofBusy)
	c.shares("cpu.contention_by_class_pct", r.CPU.ContentionByClass, ofBusy)
	c.shares("cpu.budget_pct", r.CPU.Budget, ofAll)
	c.float("counters.host_lock_pct", r.Counters.HostLock, ofBusy)
	c.float("counters.contention_pct", r.Counters.Contention, ofBusy)
	c.float("fairness.per_thread_min", r.Fairness.Min, "1/s")
	c.float("fairness.per_thread_max", r.Fairness.Max, "1/s")
	c.float("fairness.stddev_pct", r.Fairness.Stddev, "% of the mean")
}

func (c *csvFigures) lock(l Lock) {
	name := "locks." + l.Class + "."
	c.count(name+"acquisitions", l.Acquisitions, "")
	c.count(name+"contentions", l.Contentions, "")
	c.count(name+"con_bounces", l.ConBounces, "")
	c.count(name+"acq_bounces", l.AcqBounces, "")
	for _, t := range []struct {
		name  string
		times Times
	}{{"wait_ns.", l.Wait}, {"hold_ns.", l.Hold}} {
		c.count(name+t.name+"min", t.times.Min, "ns")
		c.count(name+t.name+"max", t.times.Max, "ns")
		c.count(name+t.name+"total", t.times.Total, "ns")
		c.count(name+t.name+"avg", t.times.Avg, "ns")
	}
}

// writeCSVReproductions prints one row of a published table a line.
func writeCSVReproductions(w io.Writer, reps []Reproduction) error {
	c := &csvFigures{w: csv.NewWriter(w)}
	c.row("experiment", "row", "published", "measured", "error_pct", "band", "within", "used_to_fit", "how", "source")
	for _, rep := range reps {
		rep = rep.rounded()
		how := rep.How
		if rep.Partial {
			how += ", partial"
		}
		for _, r := range rep.Rows {
			c.row(rep.Name, r.Name, exact(r.Published), exact(r.Measured), exact(r.ErrorPct), exact(r.Band),
				strconv.FormatBool(r.Within()), strconv.FormatBool(r.UsedToFit), how, rep.Source)
		}
	}
	return c.flush()
}
