package record

import (
	"io"
	"math"

	"github.com/google/pprof/profile"
)

// Profile writes the record for go tool pprof: acquisitions, contended ones,
// hold and wait by call site. Hold is the sampled mean times the exact count.
func (r *Record) Profile(w io.Writer) error {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "acquisitions", Unit: "count"}, {Type: "contended", Unit: "count"}, {Type: "wait", Unit: "nanoseconds"}, {Type: "hold", Unit: "nanoseconds"}},
		DefaultSampleType: "hold",
		DurationNanos:     int64(r.Seconds * 1e9),
	}
	functions := map[Place]*profile.Function{}
	locations := map[Place]*profile.Location{}
	for _, l := range r.Locks {
		s := &profile.Sample{
			Value: []int64{int64(l.Acquisitions), int64(l.Contended), int64(math.Round(l.WaitTotalNs)), int64(math.Round(l.HoldTotalNs))},
			Label: map[string][]string{"kind": {l.Kind}, "lock": {l.Lock}},
		}
		if l.Reads {
			s.Label["mode"] = []string{"read"}
		}
		for _, f := range l.Frames {
			if inSync(f.Function) {
				continue
			}
			loc := locations[f]
			if loc == nil {
				id := Place{Function: f.Function, File: f.File}
				fn := functions[id]
				if fn == nil {
					fn = &profile.Function{ID: uint64(len(functions) + 1), Name: f.Function, SystemName: f.Function, Filename: f.File}
					functions[id] = fn
					p.Function = append(p.Function, fn)
				}
				loc = &profile.Location{ID: uint64(len(locations) + 1), Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
				locations[f] = loc
				p.Location = append(p.Location, loc)
			}
			s.Location = append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}
