package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// deviation is a decision that differs from the default: after an agent's
// step-th step another goes on. Agents are numbered in order of creation, -1
// is the beginning.
type deviation struct{ agent, step, to int }

func (d deviation) String() string { return fmt.Sprintf("%d.%d-%d", d.agent, d.step, d.to) }

// script is the scheduler that follows a list of deviations, and leaves out
// those that cannot be followed.
type script struct {
	at map[[2]int]int
}

func newScript(ds []deviation) *script {
	s := &script{at: make(map[[2]int]int, len(ds))}
	for _, d := range ds {
		s.at[[2]int{d.agent, d.step}] = d.to
	}
	return s
}

func (s *script) pick(m *Machine, cur *proc) *proc {
	key := [2]int{-1, 0}
	if cur != nil {
		key = [2]int{cur.id, cur.steps}
	}
	if to, ok := s.at[key]; ok {
		if p := m.agent(to); p != nil && p.enabled() {
			return p
		}
	}
	return m.byDefault(cur)
}

func (s *script) over() bool { return false }

// recorder writes down the deviations of a schedule.
type recorder struct {
	list []deviation
}

func (r *recorder) arrived(*proc) {}

func (r *recorder) decided(m *Machine, cur, next *proc) {
	if next == m.byDefault(cur) {
		return
	}
	d := deviation{agent: -1, to: next.id}
	if cur != nil {
		d.agent, d.step = cur.id, cur.steps
	}
	r.list = append(r.list, d)
}

// Name of a schedule: "SEED:NUMBER" for the NUMBER-th that is drawn from SEED,
// "SEED:NUMBER:DEVIATIONS" for one that differs from it in its decisions and
// has its random numbers, and "SEED:x:DEVIATIONS" for one of an exhaustive
// run. "f" before NUMBER is a system of its own; "@" and a fingerprint of the
// steps, at the end, tell whether the program is still the same.
const (
	exhaustiveNumber = "x"
	freshMark        = "f"
	printMark        = "@"
)

type name struct {
	seed   uint64
	number int // -1 in an exhaustive run
	list   []deviation
	listed bool
	fresh  bool   // on a system that no other schedule has used
	print  uint32 // of its steps; 0 is not known
}

func (n name) String() string {
	s := strconv.FormatUint(n.seed, 10) + ":"
	if n.number < 0 {
		s += exhaustiveNumber
	} else {
		if n.fresh {
			s += freshMark
		}
		s += strconv.Itoa(n.number)
	}
	if n.listed {
		s += ":"
		for i, d := range n.list {
			if i > 0 {
				s += ","
			}
			s += d.String()
		}
	}
	if n.print != 0 {
		s += printMark + strconv.FormatUint(uint64(n.print), 36)
	}
	return s
}

func parseName(s string) (name, error) {
	bad := fmt.Errorf("schedule %q; legal: SEED:NUMBER or SEED:NUMBER:AGENT.STEP-AGENT,... as a finding prints it", s)
	var n name
	var err error
	body, print, marked := strings.Cut(s, printMark)
	if marked {
		v, err := strconv.ParseUint(print, 36, 32)
		if err != nil || v == 0 {
			return name{}, bad
		}
		n.print = uint32(v)
	}
	parts := strings.SplitN(body, ":", 3)
	if len(parts) < 2 {
		return name{}, bad
	}
	if n.seed, err = strconv.ParseUint(parts[0], 10, 64); err != nil {
		return name{}, bad
	}
	n.number = -1
	if parts[1] != exhaustiveNumber {
		number, fresh := strings.CutPrefix(parts[1], freshMark)
		n.fresh = fresh
		if n.number, err = strconv.Atoi(number); err != nil || n.number < 0 {
			return name{}, bad
		}
	}
	if len(parts) == 3 {
		n.listed = true
		for _, f := range strings.Split(parts[2], ",") {
			if f == "" {
				continue
			}
			d, ok := parseDeviation(f)
			if !ok {
				return name{}, bad
			}
			n.list = append(n.list, d)
		}
	} else if n.number < 0 {
		return name{}, bad
	}
	return n, nil
}

// parseDeviation reads "AGENT.STEP-AGENT" and nothing around it.
func parseDeviation(s string) (d deviation, ok bool) {
	after, to, ok1 := strings.Cut(strings.TrimPrefix(s, "-"), "-")
	agent, step, ok2 := strings.Cut(after, ".")
	for _, part := range []struct {
		text string
		into *int
	}{{agent, &d.agent}, {step, &d.step}, {to, &d.to}} {
		n, err := strconv.ParseUint(part.text, 10, 31)
		if err != nil {
			return d, false
		}
		*part.into = int(n)
	}
	if strings.HasPrefix(s, "-") {
		d.agent = -d.agent
	}
	return d, ok1 && ok2 && d.agent >= -1
}

// shrinkRuns bounds the schedules that are tried to shorten one, and
// shrinkSteps the operations in all of them.
const (
	shrinkRuns  = 600
	shrinkSteps = 5_000_000
)

// shrink looks for the fewest deviations under which a schedule of the given
// random numbers still fails in the same way: it leaves out halves, quarters
// and so on, down to single ones.
func shrink(ds []deviation, fails func([]deviation) (got []deviation, steps int, ok bool)) []deviation {
	runs, steps := 0, 0
	try := func(cand []deviation) bool {
		runs++
		got, n, ok := fails(cand)
		steps += n
		if ok && len(got) < len(ds) {
			ds = got
			return true
		}
		return false
	}
	more := func() bool { return runs < shrinkRuns && steps < shrinkSteps }
	if try(nil) {
		return ds
	}
	for size := max(len(ds)/2, 1); more(); {
		removed := false
		// From the end: what comes late has fewer others built on it.
		for at := len(ds) - size; at > -size && more(); at -= size {
			lo := max(at, 0)
			hi := min(at+size, len(ds))
			if hi <= lo {
				continue
			}
			cand := append(append([]deviation{}, ds[:lo]...), ds[hi:]...)
			if try(cand) {
				removed = true
			}
		}
		if size == 1 {
			if !removed {
				break
			}
			continue
		}
		size = max(size/2, 1)
	}
	return ds
}
