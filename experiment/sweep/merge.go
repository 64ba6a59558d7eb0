package sweep

import (
	"bytes"
	"encoding/json"
	"reflect"

	"hostlock/experiment/spec"
	"hostlock/machine/param"
	"hostlock/results"
)

// Merge puts the parts of one sweep together; names are those of their files,
// for messages. missing names the points that none of them has. Its error is
// an [spec.UsageError]: parts of different sweeps, or two that have
// different figures for one point.
func Merge(names []string, parts []*results.Sweep) (s *results.Sweep, missing []string, err error) {
	if len(parts) == 0 {
		return nil, nil, spec.Usagef("nothing to merge; legal: files that lab sweep wrote")
	}
	s = &results.Sweep{Schema: results.SweepSchema, Definition: parts[0].Definition}
	have := map[string]results.SweepPoint{}
	from := map[string]string{}
	for i, part := range parts {
		if what := difference(&parts[0].Definition, &part.Definition); what != "" {
			return nil, nil, spec.Usagef("%s and %s are of different sweeps: their %s differ; legal: parts of one", names[0], names[i], what)
		}
		for _, p := range part.Points {
			if old, ok := have[p.Key]; ok && !same(old, p) {
				return nil, nil, spec.Usagef("%s and %s have different figures for %s: they come from different programs; legal: parts that one program made", from[p.Key], names[i], name(&p))
			}
			have[p.Key], from[p.Key] = p, names[i]
		}
	}
	if n := size(&s.Definition); n > maxPoints {
		return nil, nil, spec.Usagef("%s: a sweep of %d points or more; legal: up to %d", names[0], n, maxPoints)
	}
	for _, id := range enumerate(&s.Definition) {
		p, ok := have[id.Key]
		if !ok {
			missing = append(missing, name(&id))
			continue
		}
		if !sameRun(&p, &id) {
			return nil, nil, spec.Usagef("%s: the point %s has the key of %s: the file was edited; legal: a file as lab sweep wrote it", from[id.Key], name(&p), name(&id))
		}
		delete(have, id.Key)
		s.Points = append(s.Points, p)
	}
	for key, p := range have {
		return nil, nil, spec.Usagef("%s: the point %s is no part of its own sweep: the file was edited; legal: a file as lab sweep wrote it", from[key], name(&p))
	}
	s.Missing, s.Partial = len(missing), len(missing) > 0
	s.SetGains()
	return s, missing, nil
}

// difference names the first member in which two definitions differ, as the
// JSON has it; "" where there is none.
func difference(a, b *results.SweepDef) string {
	va, vb := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for i := range va.NumField() {
		if !equal(va.Field(i).Interface(), vb.Field(i).Interface()) {
			return va.Type().Field(i).Tag.Get("json")
		}
	}
	return ""
}

// sameRun compares what tells points apart.
func sameRun(a, b *results.SweepPoint) bool {
	return a.Strategy == b.Strategy && a.Cores == b.Cores && a.Seed == b.Seed && param.Same(a.Set, b.Set)
}

// same compares what two runs of a point found. Gains depend on which other
// points a part has.
func same(a, b results.SweepPoint) bool {
	a.Gain, b.Gain = nil, nil
	return equal(a, b)
}

func equal(a, b any) bool {
	ta, errA := json.Marshal(a)
	tb, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(ta, tb)
}
