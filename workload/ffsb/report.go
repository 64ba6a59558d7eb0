package ffsb

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hostlock/workload/ffsb/profile"
)

// NativeReport implements workload.Run: the results as FFSB 6.0 prints them,
// from "Results:" on. The lines about processor time are left out: the lab's
// own report has them for all cores.
func (r *run) NativeReport(w io.Writer, window time.Duration) error {
	var b strings.Builder
	seconds := window.Seconds()
	fmt.Fprintf(&b, "Results:\nBenchmark took %.2f sec\n\n", seconds)
	if len(r.groups) > 1 {
		for i, g := range r.groups {
			title(&b, fmt.Sprintf("ThreadGroup %d", i))
			r.reportTally(&b, r.tallied(g), seconds)
			r.reportStats(&b, g)
		}
	}
	title(&b, "Total Results")
	r.reportTally(&b, r.tallied(nil), seconds)
	if len(r.groups) == 1 {
		r.reportStats(&b, r.groups[0])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func title(b *strings.Builder, text string) {
	fmt.Fprintf(b, "%s\n===============\n", text)
}

func (r *run) reportTally(b *strings.Builder, t *tally, seconds float64) {
	transactions, calls, read, wrote := t.total()
	b.WriteString("             Op Name   Transactions\t Trans/sec\t% Trans\t    % Op Weight\t    Throughput\n")
	b.WriteString("             =======   ============\t =========\t=======\t    ===========\t    ==========\n")
	for _, op := range profile.Ops() {
		o := t.ops[op]
		if o.transactions == 0 {
			continue // FFSB leaves out whatever counted nothing
		}
		moved := "NA"
		if op.Reads() || op.Writes() {
			moved = rate(o.bytes, seconds)
		}
		fmt.Fprintf(b, "%20s : %12d\t%10.2f\t%6.3f%%\t\t%6.3f%%\t  %11s\n", op, o.transactions,
			per(o.transactions, seconds), percent(o.transactions, transactions), percent(o.calls, calls), moved)
	}
	fmt.Fprintf(b, "-\n%.2f Transactions per Second\n\n", per(transactions, seconds))
	if read == 0 && wrote == 0 {
		return
	}
	b.WriteString("Throughput Results\n===================\n")
	if read > 0 {
		fmt.Fprintf(b, "Read Throughput: %s\n", rate(read, seconds))
	}
	if wrote > 0 {
		fmt.Fprintf(b, "Write Throughput: %s\n", rate(wrote, seconds))
	}
	b.WriteByte('\n')
}

// reportStats prints what [stats] of a group asks for, in milliseconds.
func (r *run) reportStats(b *strings.Builder, g *group) {
	sum := newStats(&g.conf.Stats)
	if sum == nil {
		return
	}
	for _, th := range r.threads {
		if th.group == g {
			sum.add(th.stats)
		}
	}
	b.WriteString("System Call Latency statistics in millisecs\n=====\n")
	b.WriteString("\t\tMin\t\tAvg\t\tMax\t\tTotal Calls\n\t\t========\t========\t========\t============\n")
	for call := range sum.calls {
		c := &sum.calls[call]
		if c.count == 0 {
			continue
		}
		fmt.Fprintf(b, "[%7s]\t%f\t%f\t%f\t%12d\n", profile.Syscall(call),
			millis(c.min), millis(c.sum)/float64(c.count), millis(c.max), c.count)
		if sum.bins[call] == nil {
			b.WriteString("   -\n")
			continue
		}
		for i, n := range sum.bins[call] {
			rg := &g.conf.Stats.Ranges[i]
			fmt.Fprintf(b, "msec_range[%d]\t%f - %f : %d\n", i, millis(rg.Lo), millis(rg.Hi), n)
		}
	}
	b.WriteByte('\n')
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func per(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

func percent(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// rate is FFSB's throughput: three digits and a unit in powers of 1024, so
// that 1.02e+03KB/sec is possible.
func rate(bytes int64, seconds float64) string {
	f, unit := per(bytes, seconds), "B"
	for _, next := range []string{"KB", "MB", "GB"} {
		if f < 1024 {
			break
		}
		f, unit = f/1024, next
	}
	return fmt.Sprintf("%.3g%s/sec", f, unit)
}
