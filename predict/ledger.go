package predict

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"hostlock/files"
	"hostlock/record"
)

// Outcome is a prediction beside what came of it.
type Outcome struct {
	Lock    string
	Design  string
	Cores   int
	Range   Range
	Found   float64
	Within  bool
	Factor  float64 // found over mid
	Because string  // why there is none
}

// Check holds a prediction against a record made after the change: the row of the
// design on as many cores as that has.
func (p *Prediction) Check(after *record.Record, site, design string) (*Outcome, error) {
	lead, err := pick(after, site)
	if err != nil {
		return nil, err
	}
	acq := 0.0
	for i := range after.Locks {
		if l := &after.Locks[i]; l.Lock == lead.Lock || l.Site == lead.Site {
			acq += float64(l.Acquisitions)
		}
	}
	if after.Seconds <= 0 {
		return nil, ErrRates
	}
	o := &Outcome{Lock: p.Lock, Design: design, Cores: after.Procs, Found: acq / after.Seconds}
	for _, r := range p.Predictions {
		if r.Design == design && r.Cores == after.Procs && r.Range.Mid > 0 {
			o.Range = r.Range
			o.Within = r.Range.Low <= o.Found && o.Found <= r.Range.High
			o.Factor = o.Found / r.Range.Mid
			return o, nil
		}
	}
	o.Because = fmt.Sprintf("no prediction for design %s on %d cores", design, after.Procs)
	return o, nil
}

// String is the outcome in a sentence.
func (o *Outcome) String() string {
	if o.Because != "" {
		return o.Because
	}
	verdict := "within the range"
	if !o.Within {
		verdict = "outside the range"
	}
	return fmt.Sprintf("%s on %d cores: predicted %.4g to %.4g a second, found %.4g: %s", o.Design, o.Cores, o.Range.Low, o.Range.High, o.Found, verdict)
}

var ledgerHead = []string{"lock", "design", "cores", "low", "mid", "high", "found", "within"}

// maxLedger bounds what is read of a ledger.
const maxLedger = 16 << 20

// Append adds the outcome to a ledger, a CSV file that is made where there is none.
// Misses are added as hits are.
func (o *Outcome) Append(file string) error {
	old, err := files.Read(file, maxLedger)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return files.Write(file, func(w io.Writer) error {
		if _, err := w.Write(old); err != nil {
			return err
		}
		c := csv.NewWriter(w)
		if len(old) == 0 {
			_ = c.Write(ledgerHead)
		}
		f := func(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) }
		_ = c.Write([]string{o.Lock, o.Design, strconv.Itoa(o.Cores), f(o.Range.Low), f(o.Range.Mid), f(o.Range.High), f(o.Found), strconv.FormatBool(o.Within)})
		c.Flush()
		return c.Error()
	})
}
