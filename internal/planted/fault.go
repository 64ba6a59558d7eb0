package planted

import (
	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/strategies"
)

// Fault is one mistake.
type Fault struct {
	Name  string // after "planted/"
	About string // what was done wrong
	// Set has parameters that the fault needs.
	Set map[string]string
	// New makes a strategy with the mistake; nil where Strategy is a shipped
	// one that a parameter makes wrong.
	New      func(h *dispatch.Host) (dispatch.Strategy, error)
	Strategy string
	// Recovers says that errors can be handled under it.
	Recovers bool
	// Strict has stalls count as findings: what the fault is planted in has
	// none.
	Strict bool
	// Mistake is one of the path's own.
	Mistake eh.Mistake
	// Told says that a story tells it. In explored schedules the timer of a plug
	// may fire at any time, no device stays silent, time has no length, and nobody
	// issues enough commands to use one again.
	Told bool
	// Source is the type whose source tells it to `lab vet`, where no run does.
	Source string
	// Long says that the long run shows it: no explored schedule has as many
	// commands.
	Long bool
	// Race says that the mistake is one of order: a trace of it must hold two agents
	// whose steps on one object interleave.
	Race bool
}

// long are the faults that the long run shows.
var long = map[string]bool{"the number wraps": true, "counters that wrap": true}

// races are the mistakes of order on one thing: what one agent looked at is changed
// by another before it acts on it, or two use fields that nothing orders. A mistake
// of order between two words, such as "compares before it counts", is none of them.
var races = map[string]bool{
	"unlock before insert": true, "plain countdown": true, "counts after it unlocked": true,
	"looks before it locks": true, "numbers outside the lock": true, "looks at recovery first": true,
	"does not look again": true, "starves before it requeues": true,
	"tests, then counts": true, "loads, then stores": true, "test, then decrement": true, "hand-made lock": true,
	"free list without a version": true, "full, told late": true,
}

// Registered is the name of the strategy that has the fault.
func (f *Fault) Registered() string {
	if f.Strategy != "" {
		return f.Strategy
	}
	return "planted/" + f.Name
}

// Sound is the name of the strategy that the sketched faults are planted in,
// without any.
const Sound = "planted/sound"

// Faults are all of them.
func Faults() []Fault {
	var all []Fault
	for _, v := range sketched {
		// Eight LUNs on two slots starve the last of them; the long run has four on twelve.
		told := v.name == "the first always wins"
		all = append(all, Fault{Name: v.name, About: v.about, Strict: true, Recovers: true, Told: told, New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			return newSketch(h, v.name), nil
		}})
	}
	for _, v := range limits {
		all = append(all, Fault{Name: v.name, About: v.about, Strict: true, Recovers: true, New: v.new})
	}
	all = append(all, Fault{
		Name: "mutex with a dummy operation", About: "the count is under a sync.Mutex, beside which a word is loaded and not looked at",
		Recovers: true, Source: "dummyMutex", New: plugged(func(n int) strategies.Limit { return newDummyMutex(n) }),
	})
	for _, v := range wrapped {
		all = append(all, Fault{Name: v.name, About: v.about, Recovers: v.recovers, New: v.new})
	}
	all = append(all, ignored...)
	all = append(all, mistaken...)
	for i := range all {
		all[i].Long, all[i].Race = long[all[i].Name], races[all[i].Name]
		all[i].Told = all[i].Told || all[i].Name == "the first always wins" // of so few commands
	}
	return append(all, Fault{
		Name: "over-admission of 2.6.35", About: "a device already on the starved list is admitted although its target is full",
		Strategy: "host-lock", Set: map[string]string{"midlayer.historic_target_bug": "true"},
	})
}

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: Sound, About: "the sketch without a fault", Recovers: true,
		New: func(h *dispatch.Host) (dispatch.Strategy, error) { return newSketch(h, ""), nil },
	})
	for _, f := range Faults() {
		if f.New != nil {
			dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: f.Registered(), About: f.About, Recovers: f.Recovers, New: f.New})
		}
	}
}
