package verify

import "hostlock/machine/explore"

// Pair reports whether what is shown of a finding holds two agents that come between
// one another: see racingPair.
func (f *Finding) Pair() bool { return racingPair(f.Kind, f.Shown()) }

// racingPair reports whether a trace holds two agents that come between one another:
// one, in a single verb, uses what another uses after that, and then uses what the
// other has used meanwhile, and of each two uses of one thing one writes. In no order of
// whole verbs is that so. Of plain fields that nothing orders the two uses alone are the
// race: explore says that nothing lies between them.
func racingPair(kind explore.Kind, trace []*explore.Step) bool {
	type use map[string]bool // by object, whether it was written
	note := func(u use, s *explore.Step) { u[s.Object] = u[s.Object] || writes(s) }
	meets := func(u use, s *explore.Step) bool { wrote, is := u[s.Object]; return is && (wrote || writes(s)) }
	for first, a := range trace {
		if !looks(a) && !writes(a) || a.Verb == "" {
			continue
		}
		mine, others := use{}, map[string]use{}
		note(mine, a)
		for i := first + 1; i < len(trace); i++ {
			s := trace[i]
			switch {
			case !looks(s) && !writes(s):
			case s.Agent != a.Agent:
				if others[s.Agent] == nil && meets(mine, s) {
					if kind == explore.Race {
						return true
					}
					others[s.Agent] = use{}
				}
				if u := others[s.Agent]; u != nil {
					note(u, s)
				}
			case s.Verb != a.Verb:
				i = len(trace) // the call is over
			default:
				for _, u := range others {
					if meets(u, s) {
						return true
					}
				}
				note(mine, s)
			}
			if i-first > longestCall {
				break // a loop without end
			}
		}
	}
	return false
}

// longestCall is how many steps after its first a call is looked at.
const longestCall = 1000

func looks(s *explore.Step) bool {
	return s.Op == "load" || s.Op == "read" || s.Op == "compare-and-swap, failed"
}

func writes(s *explore.Step) bool {
	return s.Op == "store" || s.Op == "write" || s.Op == "add" || s.Op == "compare-and-swap"
}
