package lockload

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Report is a plan's points with what they were made under.
type Report struct {
	HoldNs  float64 `json:"hold_ns"`
	ThinkNs float64 `json:"think_ns"`
	Machine string  `json:"machine"`
	Costs   string  `json:"costs"` // name or file of the cost table
	Partial bool    `json:"partial"`
	Points  []Point `json:"points"`
	Words   string  `json:"words"`

	load *Load
	// Setting says of each cost that was set where it comes from.
	Set []string `json:"set,omitempty"`
}

// NewReport puts points and load together.
func NewReport(p *Plan, points []Point, costs string, set []string) *Report {
	r := &Report{
		HoldNs: float64(p.Base.Hold.Avg()), ThinkNs: float64(p.Base.Think.Avg()),
		Machine: "sim", Costs: costs, Points: points, Words: Answer(&p.Base.Load, points),
		Partial: len(points) < len(p.Configs()), load: &p.Base.Load, Set: set,
	}
	if p.Base.Live {
		r.Machine, r.Costs = "live", "this computer"
	}
	return r
}

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// Text writes the answer, then one table: rates by cores, or with full every figure
// of every point.
func (r *Report) Text(w io.Writer, full bool) error {
	if _, err := fmt.Fprintf(w, "%s\n\n", r.Words); err != nil {
		return err
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{SeparateColumns: false}
	t.Style().Format.Header = text.FormatDefault
	if full {
		r.all(t)
	} else {
		r.rates(t)
	}
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.how(full))
	return err
}

// how says how the figures were obtained.
func (r *Report) how(full bool) string {
	open := ""
	if r.load.Rate > 0 {
		open = fmt.Sprintf(" (offered: %s a second)", Rate(r.load.Rate))
	}
	what := fmt.Sprintf("Operations a second%s, simulated with cost table %s. Held %v, %v between two operations of a thread.", open, r.Costs, r.load.Hold, r.load.Think)
	if r.Machine == "live" {
		what = fmt.Sprintf("Operations a second%s, measured on this computer. Held %v, %v between two operations of a thread.", open, r.load.Hold, r.load.Think)
	}
	for _, s := range r.Set {
		what += "\nset: " + s
	}
	if !full {
		what += "\n--full adds waits, contention, utilisation and fairness; 'lab list designs' says what each design gives up."
	}
	if r.Partial {
		what += "\npartial: it was interrupted"
	}
	return what
}

// most is how many core counts one table has room for.
const most = 8

func (r *Report) rates(t table.Writer) {
	var ns []int
	seen := map[int]bool{}
	for _, p := range r.Points {
		if !seen[p.Cores] {
			seen[p.Cores] = true
			ns = append(ns, p.Cores)
		}
	}
	for len(ns) > most { // every second one, the last kept
		var half []int
		for i := len(ns) - 1; i >= 0; i -= 2 {
			half = append([]int{ns[i]}, half...)
		}
		ns = half
	}
	head := table.Row{"cores"}
	configs := []table.ColumnConfig{{Number: 1}}
	for i, n := range ns {
		head = append(head, n)
		configs = append(configs, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	head = append(head, "bound")
	t.AppendHeader(head)
	t.SetColumnConfigs(configs)
	for _, c := range Curves(r.Points) {
		row := table.Row{c.Name()}
		for _, n := range ns {
			cell := ""
			for _, p := range c.Points {
				if p.Cores == n {
					cell = Rate(p.OpsPerS)
				}
			}
			row = append(row, cell)
		}
		t.AppendRow(append(row, c.Last().Bound))
	}
}

func (r *Report) all(t table.Writer) {
	t.AppendHeader(table.Row{"design", "kind", "cores", "threads", "ops/s", "ns/op", "wait %", "held %", "p50", "p99", "max", "spread %", "bound"})
	var configs []table.ColumnConfig
	for i := 3; i <= 12; i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	for _, p := range r.Points {
		held := "-"
		if p.Utilization >= 0 {
			held = fmt.Sprintf("%.1f", p.Utilization)
		}
		t.AppendRow(table.Row{
			p.Design, p.Kind, p.Cores, p.Threads, Rate(p.OpsPerS), fmt.Sprintf("%.1f", p.NsPerOp),
			fmt.Sprintf("%.1f", p.Contention), held, Ns(p.Wait.P50), Ns(p.Wait.P99), Ns(p.Wait.Max),
			fmt.Sprintf("%.1f", p.Fairness.StdDev), p.Bound,
		})
	}
}

// CSV writes a row a point.
func (r *Report) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	f := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	_ = c.Write([]string{ // an error stays, and Flush has it
		"machine", "hold_ns", "think_ns", "design", "kind", "cores", "threads", "ops_per_s", "ns_per_op", "contention_pct",
		"utilization_pct", "wait_p50_ns", "wait_p99_ns", "wait_max_ns", "per_thread_stddev_pct", "bound",
	})
	for _, p := range r.Points {
		_ = c.Write([]string{
			r.Machine, f(r.HoldNs), f(r.ThinkNs), p.Design, p.Kind, strconv.Itoa(p.Cores), strconv.Itoa(p.Threads), f(p.OpsPerS), f(p.NsPerOp), f(p.Contention),
			f(p.Utilization), f(p.Wait.P50), f(p.Wait.P99), f(p.Wait.Max), f(p.Fairness.StdDev), p.Bound,
		})
	}
	c.Flush()
	return c.Error()
}
