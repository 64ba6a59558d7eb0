package spec

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hostlock/machine/calibrate"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

// CostsOf is what was measured on this computer, as parameters of the
// simulated machine. What was not measured is left out, and keeps its default;
// so does what other processes disturbed so much that it cannot be a cost.
func CostsOf(r *calibrate.Result) []param.Setting { return costsOf(r, false) }

// SteadyCosts is CostsOf without what was not steady.
func SteadyCosts(r *calibrate.Result) []param.Setting { return costsOf(r, true) }

// costsOf leaves out, where it is told to, what was not steady.
func costsOf(r *calibrate.Result, steady bool) []param.Setting {
	legal := param.New()
	legal.Declare(sim.Params()...)
	var out []param.Setting
	add := func(name string, ns float64, why string, f calibrate.Figure) {
		text := strconv.FormatFloat(ns, 'f', 1, 64) + "ns"
		if steady && (f.Spread() > 0.25 || f.Repetitions == 1) || f.Repetitions == 0 || ns <= 0 || legal.Set("cost."+name, text) != nil {
			return
		}
		v := param.Setting{Name: "cost." + name, Value: text,
			Source: fmt.Sprintf("measured here: %s, median %.1f ns, quartiles %.1f to %.1f, %s", why, f.Median, f.Low, f.High, f.Steadiness())}
		switch beside := r.Neighbours.Warning() != ""; {
		case beside && f.Steadiness() == calibrate.Unsteady:
			v.Doubt = param.Unsteady + ", " + param.Beside
		case beside:
			v.Doubt = param.Beside
		case f.Steadiness() == calibrate.Unsteady:
			v.Doubt = param.Unsteady
		}
		out = append(out, v)
	}
	add("rmw", r.Add.Median, "uncontended atomic add", r.Add)
	near, far := r.TransferOverall(), calibrate.Figure{}
	if len(r.Transfer) == 1 {
		near = r.Transfer[0].Figure // whose quartiles are of repetitions, not of pairs
	}
	for _, p := range r.Transfer {
		if p.Median > far.Median {
			far = p.Figure
		}
	}
	add("same_socket", near.Median, "way of a line from core to core, over all pairs", near)
	add("cross_socket", far.Median, "the same, slowest pair", far)
	add("occupancy", r.ContendedAdd.Median, "contended atomic add, all cores on one line", r.ContendedAdd)
	if n := len(r.HandOff); n > 1 && r.HandOff[0].Repetitions > 0 {
		first, last := r.HandOff[0], r.HandOff[n-1]
		slope := (last.Median - first.Median) / float64(last.Waiters-first.Waiters)
		// Half the waiters are ahead of the winner on average.
		add("occupancy_shared", 2*slope, fmt.Sprintf("hand-off with %d waiters beside %d, twice the slope", last.Waiters, first.Waiters), last.Figure)
	}
	add("switch", r.Switch.Median, "waking a goroutine and switching to it", r.Switch)
	// Handlers are goroutines here: raising one wakes it, and it ends in a
	// switch.
	add("irq_entry", r.Switch.Median, "a handler is a goroutine: as a switch", r.Switch)
	add("irq_exit", r.Switch.Median, "as irq_entry", r.Switch)
	add("ipi", r.Switch.Median, "as irq_entry", r.Switch)
	return append(out, param.Setting{Name: "cost.slice", Value: "10ms", Source: "Go preempts a goroutine after 10 ms"})
}

// DoubtfulCosts says, in a line, which costs of a table that 'lab calibrate' wrote
// are none to rely on; nil where all are.
func DoubtfulCosts(costs []param.Setting) []string {
	var shaky []string
	disturbed := 0
	for _, p := range costs {
		if strings.Contains(p.Doubt, param.Beside) {
			disturbed++
		}
		if strings.Contains(p.Doubt, param.Unsteady) {
			shaky = append(shaky, p.Name)
		}
	}
	var why []string
	if len(shaky) > 0 {
		why = append(why, "repetitions disagreed about "+strings.Join(shaky, ", "))
	}
	if disturbed > 0 {
		why = append(why, "other processes used the processors meanwhile")
	}
	if why == nil {
		return nil
	}
	return []string{"the cost table is doubtful: " + strings.Join(why, ", and ") + "; calibrate again on a quiet computer"}
}

// WriteCosts writes parameters as a file that [LoadCosts] reads: the
// [[parameter]] tables of an experiment's file, with remarks above them.
func WriteCosts(w io.Writer, costs []param.Setting, remarks []string) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, "# A cost table for the simulated machine: lab run --machine sim --costs FILE")
	for _, r := range remarks {
		fmt.Fprintln(&b, "#", r)
	}
	for _, p := range costs {
		fmt.Fprintf(&b, "\n[[parameter]]\nname   = %q\nvalue  = %q\nsource = %q\n", p.Name, p.Value, p.Source)
		if p.Doubt != "" {
			fmt.Fprintf(&b, "doubt  = %q\n", p.Doubt)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
