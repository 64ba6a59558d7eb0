package profiles

import (
	"fmt"
	"hash/fnv"

	"github.com/google/pprof/profile"
)

// Labels of a sample.
const (
	LabelStrategy = "strategy"
	LabelCore     = "core"   // number
	LabelSocket   = "socket" // number
	LabelLock     = "lock"   // class of a lock
	LabelLine     = "line"   // class of a cache line
	LabelSection  = "section"
	LabelPath     = "path"
	LabelWhat     = "what"
)

// The one mapping claims to be symbolised, or pprof would look for a program
// to symbolise from. Its extent only has to hold every address.
const (
	mappingStart = 1 << 32
	mappingLimit = 1 << 33
	mappingFile  = "hostlock"
)

// numberUnits give the numbers a unit, without which number 0 is lost: a label
// whose parts are all zero does not survive the encoding.
var numberUnits = map[string][]string{LabelCore: {"core"}, LabelSocket: {"socket"}}

// builder makes a profile of rows.
type builder struct {
	p     *profile.Profile
	funcs map[[2]string]*profile.Function
	locs  map[string]*profile.Location
	// tails holds the locations of each stack, without a synthetic leaf.
	tails    map[*stack][]*profile.Location
	strategy []string
}

func newBuilder(info Info, duration int64, types ...*profile.ValueType) *builder {
	return &builder{
		p: &profile.Profile{
			SampleType:    types,
			DurationNanos: duration,
			Comments:      info.comments(),
			Mapping: []*profile.Mapping{{
				ID: 1, Start: mappingStart, Limit: mappingLimit, File: mappingFile,
				HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true,
			}},
		},
		funcs:    map[[2]string]*profile.Function{},
		locs:     map[string]*profile.Location{},
		tails:    map[*stack][]*profile.Location{},
		strategy: []string{info.Strategy},
	}
}

func (b *builder) add(r *row) {
	s := &profile.Sample{Value: r.values, Label: map[string][]string{}}
	tail, ok := b.tails[r.stack]
	if !ok {
		tail = b.locations(r.stack.frames)
		b.tails[r.stack] = tail
	}
	if r.leaf == "" {
		s.Location = tail
	} else {
		s.Location = make([]*profile.Location, 0, len(tail)+1)
		s.Location = append(s.Location, b.location(frame{name: r.leaf}))
		s.Location = append(s.Location, tail...)
	}
	if b.strategy[0] != "" {
		s.Label[LabelStrategy] = b.strategy
	}
	for _, l := range [...]struct{ key, value string }{
		{LabelLock, r.lock}, {LabelLine, r.line}, {LabelSection, r.section},
		{LabelPath, r.path}, {LabelWhat, r.what},
	} {
		if l.value != "" {
			s.Label[l.key] = []string{l.value}
		}
	}
	if r.core >= 0 {
		s.NumLabel = map[string][]int64{
			LabelCore:   {int64(r.core)},
			LabelSocket: {int64(r.socket)},
		}
		s.NumUnit = numberUnits
	}
	b.p.Sample = append(b.p.Sample, s)
}

// locations makes one location of each frame, inlined or not: in a profile of
// what a model charges, how this build was inlined says nothing, and another
// build would write another file.
func (b *builder) locations(frames []frame) []*profile.Location {
	locs := make([]*profile.Location, len(frames))
	for i, f := range frames {
		locs[i] = b.location(f)
	}
	return locs
}

func (b *builder) location(f frame) *profile.Location {
	key := f.key()
	if l, ok := b.locs[key]; ok {
		return l
	}
	// An address that follows from the text alone is the same in each
	// profile. Two texts that share one do no harm: pprof tells locations
	// apart by their lines too.
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	l := &profile.Location{
		ID:      uint64(len(b.p.Location) + 1),
		Mapping: b.p.Mapping[0],
		Address: mappingStart + uint64(h.Sum32()),
		Line:    []profile.Line{{Function: b.function(f), Line: int64(f.line)}},
	}
	b.locs[key] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

func (b *builder) function(f frame) *profile.Function {
	key := [2]string{f.name, f.file}
	if fn, ok := b.funcs[key]; ok {
		return fn
	}
	fn := &profile.Function{
		ID:         uint64(len(b.p.Function) + 1),
		Name:       f.name,
		SystemName: f.name,
		Filename:   f.file,
	}
	b.funcs[key] = fn
	b.p.Function = append(b.p.Function, fn)
	return fn
}

func (b *builder) finish() (*profile.Profile, error) {
	if err := b.p.CheckValid(); err != nil {
		return nil, fmt.Errorf("profiles: made an invalid profile: %w", err)
	}
	return b.p, nil
}
