package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"hostlock/machine"
	"hostlock/results"
)

// Options of [Attribute]; the zero value is right for every profile that the
// lab writes.
type Options struct {
	// CountIdlePolling counts the time of idle pollers as busy.
	CountIdlePolling bool
	// UnlabelledClass is the class of spinning whose lock nothing names.
	// Where it is empty and no sample of the profile has a label "lock", all
	// spinning is taken as host_lock, with a note; where others have one, as
	// "unlabelled".
	UnlabelledClass string
}

// classUnlabelled is the class of spinning on a lock without a name in a
// profile that names locks elsewhere.
const classUnlabelled = "unlabelled"

// AttributeFile reads a file as [Attribute] does; its errors name the file.
func AttributeFile(path string, opts Options) (*Attribution, error) {
	p, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	a, err := Attribute(p, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// Attribute reads a CPU profile, of whatever machine, as the published table.
//
// What a core did is the label "what" where there is one; else spinning if a
// spin function of machine.SpinLock is anywhere on the stack, a retry if
// Thread.Relax is, and work if neither. A lock's class is the label "lock",
// else the synthetic leaf, else as the options say. The function that is
// charged is the nearest of the four paths above the leaf, else what the label
// "section" says, else "other"; a label "path" comes before all of them, since
// only a machine that knows the call path exactly writes it.
//
// It fails, in one line, on a profile without samples, without a sample type
// cpu in a unit of time, or with values that cannot be times.
func Attribute(p *profile.Profile, opts Options) (*Attribution, error) {
	value, unit, err := cpuValue(p)
	if err != nil {
		return nil, err
	}
	if len(p.Sample) == 0 {
		return nil, errors.New("the profile has no samples: nothing ran while it was taken, or it was filtered empty")
	}
	t := tally{opts: opts, byClass: map[string]int64{}, byFunction: map[string]int64{}, bySection: map[string]int64{}}
	t.unlabelled = opts.UnlabelledClass
	if t.unlabelled == "" {
		t.unlabelled = classUnlabelled
		if !hasLabel(p, LabelLock) {
			t.unlabelled = ClassHostLock
			t.assumed = true
		}
	}
	count := countValue(p)
	for _, s := range p.Sample {
		v := s.Value[value]
		n := int64(1)
		switch {
		case count >= 0:
			n = s.Value[count]
		case p.Period > 0:
			n = v / p.Period
		}
		if v < 0 || n < 0 {
			return nil, errors.New("the profile has negative values: the difference of two profiles has no shares")
		}
		if v > (math.MaxInt64-t.total)/unit {
			return nil, errors.New("the profile's CPU time overflows 292 years")
		}
		if n > math.MaxInt64-t.samples {
			return nil, errors.New("the profile's sample counts overflow")
		}
		v *= unit
		t.total += v
		t.add(s, v, n)
	}
	if t.total == t.idle {
		if t.idle > 0 {
			return nil, errors.New("the profile has no busy time: idle pollers took all of it")
		}
		return nil, errors.New("the profile's samples add up to no CPU time")
	}
	return t.attribution(p), nil
}

// cpuValue is the index of the value that is CPU time, and how many
// nanoseconds its unit is.
func cpuValue(p *profile.Profile) (index int, unit int64, err error) {
	units := map[string]int64{
		"nanoseconds": 1, "microseconds": int64(time.Microsecond),
		"milliseconds": int64(time.Millisecond), "seconds": int64(time.Second),
	}
	var have []string
	for i, t := range p.SampleType {
		if ns, ok := units[t.Unit]; ok && t.Type == "cpu" {
			return i, ns, nil
		}
		have = append(have, t.Type+"/"+t.Unit)
	}
	if len(have) == 0 {
		have = []string{"none"}
	}
	return 0, 0, fmt.Errorf("not a CPU profile: its sample types are %s; legal is cpu/nanoseconds (or microseconds, milliseconds, seconds)",
		oneLine(strings.Join(have, ", ")))
}

func countValue(p *profile.Profile) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
		return t.Type == "samples" && t.Unit == "count"
	})
}

func hasLabel(p *profile.Profile, key string) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return label(s, key) != "" })
}

func label(s *profile.Sample, key string) string {
	if v := s.Label[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// tally adds up samples.
type tally struct {
	opts       Options
	unlabelled string
	assumed    bool // unlabelled is a guess
	used       bool // and was needed

	total, idle, samples int64
	byWhat               [machine.WhatCount]int64
	byClass              map[string]int64
	byFunction           map[string]int64
	bySection            map[string]int64
}

func (t *tally) add(s *profile.Sample, v, n int64) {
	r := readStack(s)
	if r.idle && !t.opts.CountIdlePolling {
		t.idle += v
		return
	}
	t.samples += n
	t.byWhat[r.what] += v
	switch {
	case r.what == machine.Working:
		t.bySection[cmp.Or(label(s, LabelSection), r.function, results.Other)] += v
	case r.what == machine.Spinning:
		class := cmp.Or(label(s, LabelLock), r.leafClass)
		if class == "" {
			class = t.unlabelled
			t.used = true
		}
		t.byClass[class] += v
		if class == ClassHostLock {
			t.byFunction[function(s, r)] += v
		}
	case r.what.Contention():
		t.byClass[ClassCacheLine] += v
	}
}

// reading is what a stack says of itself.
type reading struct {
	what      machine.What
	leafClass string // from a synthetic leaf
	function  string // nearest of the four paths; "" for none
	idle      bool
}

func readStack(s *profile.Sample) reading {
	var r reading
	labelled := false
	if r.what, labelled = whatNamed(label(s, LabelWhat)); labelled {
		r.idle = r.what == machine.Idle
	}
	leaf, mutexWait := true, false
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if line.Function == nil {
				leaf = false
				continue
			}
			name := line.Function.Name
			if leaf {
				leaf = false
				head, class, _ := strings.Cut(name, ":")
				if w, ok := whatNamed(head); ok && w != machine.Working {
					r.leafClass = class
					if !labelled {
						r.what, labelled = w, true
					}
				}
			}
			if !labelled && r.what == machine.Working {
				switch {
				case isSpin(name), mutexWait && isMutexLock(name):
					r.what = machine.Spinning
				case isRetry(name):
					r.what = machine.Retrying
				}
			}
			mutexWait = mutexWait || isMutexWait(name)
			r.idle = r.idle || isIdlePoll(name)
			if r.function == "" {
				r.function = pathOf(name)
			}
		}
	}
	return r
}

func whatNamed(name string) (machine.What, bool) {
	for w := range machine.WhatCount {
		if w.String() == name {
			return w, true
		}
	}
	return machine.Working, false
}

// function is the measured path that a sample is charged to. The labels of a
// live profile are set and reset by hand, so there the stack has the better
// word.
func function(s *profile.Sample, r reading) string {
	sections := strings.Split(label(s, LabelPath), pathSeparator)
	for _, section := range slices.Backward(sections) {
		if slices.Contains(results.Functions, section) {
			return section
		}
	}
	if r.function == "" && slices.Contains(results.Functions, label(s, LabelSection)) {
		return label(s, LabelSection)
	}
	return cmp.Or(r.function, results.Other)
}

func (t *tally) attribution(p *profile.Profile) *Attribution {
	a := &Attribution{
		Busy:    time.Duration(t.total - t.idle),
		Idle:    time.Duration(t.idle),
		Samples: t.samples,
		Period:  time.Duration(p.Period),
	}
	a.Info, a.HasInfo = ReadInfo(p)
	// An exact profile of the lab has a period of one nanosecond; no profiler
	// of real cores comes near that.
	a.Sampled = p.Period != 1 || a.Info.Figures != figuresExact
	a.HostLock = a.share(ClassHostLock, t.byClass[ClassHostLock])
	for _, f := range append(slices.Clone(results.Functions), results.Other) {
		a.ByFunction = append(a.ByFunction, a.share(f, t.byFunction[f]))
	}
	var contention int64
	for w := range machine.WhatCount {
		if w == machine.Idle && t.byWhat[w] == 0 {
			continue
		}
		a.ByWhat = append(a.ByWhat, a.share(w.String(), t.byWhat[w]))
		if w.Contention() {
			contention += t.byWhat[w]
		}
	}
	a.Contention = a.share("contention", contention)
	for _, class := range []string{ClassHostLock, ClassCacheLine} {
		t.byClass[class] += 0 // present even where nothing waited for it
	}
	a.ByClass = a.largestFirst(t.byClass)
	a.WorkBySection = a.largestFirst(t.bySection)
	if t.assumed && t.used {
		a.Notes = append(a.Notes, `no sample has a label "lock": all spinning is taken as on `+ClassHostLock)
	}
	return a
}

func (a *Attribution) largestFirst(times map[string]int64) []Share {
	shares := make([]Share, 0, len(times))
	for name, ns := range times {
		shares = append(shares, a.share(name, ns))
	}
	slices.SortFunc(shares, func(x, y Share) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), strings.Compare(x.Name, y.Name))
	})
	return shares
}
