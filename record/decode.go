package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hostlock/files"
)

// maxRecord bounds what is read of a record: some hundred thousand sites.
const maxRecord = 256 << 20

// ErrFormat is a file that is no record.
var ErrFormat = errors.New("not a record; legal: a file that 'lab record -o FILE' wrote")

// Open reads a record's JSON from a file.
func Open(name string) (*Record, error) {
	text, err := files.Read(name, maxRecord)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r, err := Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Decode reads a record's JSON, and refuses what no record has.
func Decode(text []byte) (*Record, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	r := new(Record)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("%w (%s)", ErrFormat, files.PlainJSON(text, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: there is more behind it", ErrFormat)
	}
	if r.Schema != 1 {
		return nil, fmt.Errorf("%w: schema %d; legal: 1", ErrFormat, r.Schema)
	}
	return r, r.check()
}

// check refuses numbers that no program has.
func (r *Record) check() error {
	const most = 1e18 // ns: thirty years
	bad := func(what string, v float64) error {
		return fmt.Errorf("%w: %s is %v", ErrFormat, what, v)
	}
	for what, v := range map[string]float64{"seconds": r.Seconds, "cpu_s": r.CPUSeconds, "procs": float64(r.Procs)} {
		if !(v >= 0 && v < most) {
			return bad(what, v)
		}
	}
	for i := range r.Locks {
		l := &r.Locks[i]
		for what, t := range map[string]*Times{"hold_ns": l.Hold, "wait_ns": l.Wait} {
			if t != nil && !(t.Mean >= 0 && t.Mean < most && t.P99 >= 0 && t.P99 < most) {
				return bad(l.Site+": "+what, t.Mean)
			}
		}
		for what, v := range map[string]*float64{"hold_same_p_ns": l.HoldSameP, "hold_other_p_ns": l.HoldOtherP} {
			if v != nil && !(*v >= 0 && *v < most) {
				return bad(l.Site+": "+what, *v)
			}
		}
		for what, v := range map[string]*float64{"hottest_utilization_pct": l.HottestUtilizationPct, "hottest_share_pct": l.HottestSharePct} {
			if v != nil && !(*v >= 0 && *v <= 110) { // rounding, and a process's edges
				return bad(l.Site+": "+what, *v)
			}
		}
		if l.Instances < 0 || l.Contended > l.Acquisitions || l.Goroutines < 0 || l.Goroutines > 1<<20 {
			return fmt.Errorf("%w: %s has %d instances, %d of %d acquisitions contended, %d goroutines", ErrFormat, l.Site, l.Instances, l.Contended, l.Acquisitions, l.Goroutines)
		}
	}
	for _, s := range r.Stretch {
		if !(s.Factor >= 1 && s.Factor <= 1000) {
			return bad("stretch factor", s.Factor)
		}
	}
	return nil
}
