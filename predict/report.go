package predict

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"hostlock/lockload"
)

// JSON writes the prediction as one object.
func (p *Prediction) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(p)
}

// Text writes the answer, then what it rests on.
func (p *Prediction) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n", p.Words)
	print := func(title string, t table.Writer) {
		if err == nil && t.Length() > 0 {
			_, err = fmt.Fprintf(w, "\n%s\n%s\n", title, t.Render())
		}
	}
	t := plain("figure", "recorded", "predicted", "")
	for _, c := range p.SelfCheck {
		verdict := "ok"
		if !c.OK {
			verdict = "off"
		}
		t.AppendRow(table.Row{c.Figure, c.value(c.Recorded), c.value(c.Predicted), verdict})
	}
	print("Self-check (the model knows holds and processor time alone):", t)
	t = plain("design", "cores", "low", "mid", "high", "held %", "")
	for _, r := range p.Predictions {
		if r.Range.Mid == 0 {
			t.AppendRow(table.Row{r.name(), r.Cores, "", "", "", "", r.None})
			continue
		}
		held := "-"
		if r.HottestUtilization >= 0 {
			held = fmt.Sprintf("%.0f", r.HottestUtilization)
		}
		none := r.None
		if none != "" {
			none = "no prediction: " + none
		}
		t.AppendRow(table.Row{r.name(), r.Cores, lockload.Rate(r.Range.Low), lockload.Rate(r.Range.Mid), lockload.Rate(r.Range.High), held, none})
	}
	print("Acquisitions a second, simulated:", t)
	t = plain("what the record leaves open", "low", "high", "what would narrow it")
	for _, c := range p.Unknown {
		t.AppendRow(table.Row{c.Name, fmt.Sprintf("%+.0f %%", 100*(c.Low-1)), fmt.Sprintf("%+.0f %%", 100*(c.High-1)), c.Measure})
	}
	print("Why it is a range:", t)
	if err == nil {
		_, err = fmt.Fprintf(w, "\nChecked against programs that were run on up to %d processors (BENCHMARKS.md); beyond %d times the recorded ones only bounds are given.\n", p.ValidatedToCores, beyond)
	}
	return err
}

func (r *Row) name() string {
	if r.Kind == "" {
		return r.Design
	}
	return r.Design + " " + r.Kind
}

func plain(head ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{}
	t.Style().Format.Header = text.FormatDefault
	row := table.Row{}
	for _, h := range head {
		row = append(row, h)
	}
	t.AppendHeader(row)
	return t
}
