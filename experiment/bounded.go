package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/experiment/bound"
	"hostlock/experiment/spec"
	"hostlock/machine"
	"hostlock/machine/layout"
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results"
)

// use is what a run says of its resources.
func (p *Plan) use(acct *machine.Account, sys *system, r *results.Result) bound.Use {
	template := &sys.Hosts()[0].Template
	window := acct.Window.Seconds()
	u := bound.Use{
		Rate: r.IOPS, Threads: r.Experiment.Threads, Cores: acct.Cores, Hosts: len(sys.Hosts()),
		CanQueue: max(template.CanQueue, 0), Depth: template.QueueDepth, DepthName: "host.cmd_per_lun",
		InterruptName: p.driver.Name + ".irq_core",
	}
	if name := p.driver.Name + ".vectors"; p.params.Has(name) { // where more of them are what raises the limit
		u.InterruptName = name
	}
	if n := template.TargetCanQueue; n > 0 && (n < u.Depth || u.Depth <= 0) {
		u.Depth, u.DepthName = n, "host.target_can_queue"
	}
	o, counted := sys.Occupancy(acct.Began, acct.Window)
	if counted {
		r.Occupancy = &results.Occupancy{InFlight: o.InFlight, HostFull: 100 * o.HostFull, DeviceFull: 100 * o.DeviceFull}
	}
	u.InFlight, u.Waiting, u.Devices = o.InFlight, o.Waiting, o.Used
	u.Ready = acct.Ready.Seconds() / window
	if s, ok := sys.DeviceService(); ok {
		u.Service, u.Channels, u.Shared = s.Per().Seconds(), s.Channels, s.Shared
		u.HeldBack = p.heldBack(r.IOPS / float64(u.Hosts))
		u.Known = !p.Live()
	}
	for _, l := range acct.Locks {
		if u.Rate == 0 || l.Acquisitions == 0 || l.Locks == 0 {
			continue
		}
		hold := l.Hold.Avg().Seconds() // of a sample on this computer
		n := float64(l.Acquisitions)
		one := bound.Lock{
			Class: l.Class, Count: l.Locks, Hold: hold, Handoff: l.Handoff.Seconds() / n,
			PerCommand: n / window / u.Rate,
		}
		one.Utilized = n * (one.Hold + one.Handoff) / window / float64(l.Locks)
		u.Locks = append(u.Locks, one)
	}
	for _, l := range acct.Lines {
		isLock := slices.ContainsFunc(acct.Locks, func(k machine.LockStat) bool { return k.Class == l.Class })
		if isLock || u.Rate == 0 { // a lock's line is part of its hand-off
			continue
		}
		n := float64(l.Served)
		u.Lines = append(u.Lines, bound.Line{
			Class: l.Class, Utilized: l.Hottest.Seconds() / window, Turn: l.Busy.Seconds() / n, PerCommand: n / window / u.Rate,
		})
	}
	return u
}

// heldBack is how long an adapter that coalesces interrupts keeps a reply back: the
// way from the first of a batch to its last, half of it in the mean.
func (p *Plan) heldBack(rate float64) float64 {
	at, is := p.Param(p.driver.Name + ".coalesce_time")
	depth, also := p.Param(p.driver.Name + ".coalesce_depth")
	if !is || !also || at.Num <= 0 || rate <= 0 {
		return 0
	}
	return min(time.Duration(at.Num).Seconds(), (depth.Num-1)/2/rate)
}

// emptyRead is the look at the adapter that ends an interrupt, where it has one.
// With more replies to each there are fewer interrupts, and so neither this nor
// the way into the handler and out of it is what a command must take.
func (p *Plan) emptyRead() float64 {
	v, ok := p.Param(p.driver.Name + ".mmio_read")
	if !ok {
		return 0
	}
	return time.Duration(v.Num).Seconds()
}

// Sections between the admission of a command and the release of its slots, and
// those around and after it, by their kernel names: the innermost tells.
var (
	withSlot    = []string{"scsi_dispatch_cmd", "scsi_softirq_done", "blk_done_softirq", "scsi_finish_command", "scsi_device_unbusy"}
	withoutSlot = []string{"__make_request", "scsi_request_fn", "scsi_run_queue", "scsi_io_completion", "kblockd"}
)

func holdsSlot(s machine.Sample) bool {
	for _, name := range slices.Backward(s.Path) {
		switch {
		case slices.Contains(withSlot, name):
			return true
		case slices.Contains(withoutSlot, name):
			return false
		}
	}
	return s.Hard
}

// simBound says what bounds a run in virtual time, whose account tells what every
// core did at every place.
func (p *Plan) simBound(acct *machine.Account, sys *system, r *results.Result) {
	u := p.use(acct, sys, r)
	window := acct.Window.Seconds()
	hard := make([]float64, acct.Cores)
	for _, s := range acct.Samples {
		cores := s.Time.Seconds() / window
		switch {
		case s.What == machine.Idle || cores == 0:
			continue
		case s.What.Contention():
			u.Spin += cores
			if holdsSlot(s) {
				u.SpinInSlot += cores
			}
		default:
			u.Working += cores
			if holdsSlot(s) {
				u.InSlot += cores
			}
		}
		if s.Hard {
			hard[s.Core] += cores
		}
		if s.Hard && s.What == machine.Switching {
			// One charge for the way in, one for the way out.
			hard[s.Core] -= cores + float64(s.Count)/2*p.emptyRead()/window
		}
	}
	for core, share := range hard {
		if share > u.Interrupts {
			u.Interrupts, u.Core = share, core
		}
	}
	r.Bound = bound.Of(u)
}

// liveBound says what bounds a run on this computer, whose account tells less: what
// waits for a core is what is neither with the driver nor on one.
func (p *Plan) liveBound(acct *machine.Account, sys *system, r *results.Result) {
	u := p.use(acct, sys, r)
	busy := r.CPU.Busy / 100 * float64(acct.Cores)
	u.Spin = busy * r.CPU.Contention / 100
	u.Working = busy - u.Spin
	u.Ready = max(0, float64(u.Threads)-u.InFlight-busy)
	r.Bound = bound.Of(u)
}

// Names of settings that are no parameter's: each names a table.
const (
	CostsSetting  = "costs"
	LayoutSetting = "layout"
)

// isTable reports whether a setting names a table, and sets no parameter.
func isTable(name string) bool { return name == CostsSetting || name == LayoutSetting }

// tables reads the tables that the request's settings name; of two of a kind the
// last one counts.
func (p *Plan) tables() error {
	for _, v := range p.req.Set {
		if !isTable(v.Name) {
			continue
		}
		if p.Live() {
			return spec.ErrorAt(v.At, v.Name, "%s on machine live, whose lines and costs are this computer's own; legal: --machine sim", tableText(v))
		}
		var err error
		if v.Name == CostsSetting {
			p.costs, err = spec.LoadCosts(v.Value)
		} else {
			p.layout, err = spec.LoadLayout(v.Value)
			p.layoutName = v
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func tableText(v param.Setting) string {
	if v.At.Flag == "--"+v.Name {
		return v.Value
	}
	return v.String()
}

// placed says what a layout named in vain: fields that nobody in this run has.
func (p *Plan) placed(sys *system) []string {
	if p.layout == nil || len(sys.Layout().Placed()) > 0 {
		return nil
	}
	return []string{fmt.Sprintf("layout %s changes nothing here: strategy %s has none of its fields", p.layoutName.Value, p.strategy.Name)}
}

// tableParameters says in a result which layout was in force, where one was named.
func (p *Plan) tableParameters() []results.Parameter {
	if p.layoutName.Name == "" {
		return nil
	}
	about := "every field where its owner has it"
	if p.layout != nil {
		about = p.layout.Title
	}
	return []results.Parameter{{Name: LayoutSetting, Value: p.layoutName.Value, Unit: "choice", Source: "which fields share a line: " + about}}
}

// OwnLayout is the lines that the strategies have of their own accord, each as an
// entry for the one strategy.
func OwnLayout() (*layout.Layout, error) {
	l := &layout.Layout{Name: spec.OwnLayout, Title: "the lines as each strategy has them of its own accord"}
	for _, s := range dispatch.Strategies() {
		m, err := sim.New(sim.Config{Cores: 1, Costs: sim.DefaultCosts()})
		if err != nil {
			return nil, err
		}
		params, err := dispatch.NewParams("null")
		if err != nil {
			return nil, err
		}
		cfg := dispatch.Config{Strategy: s.Name, Driver: "null", Params: params}
		for name, use := range map[string]bool{"midlayer.error_handling": s.Recovers, "host.target_can_queue": true} {
			if use { // or fields that only these need would have no line
				if err := params.Set(name, "1"); err != nil {
					return nil, err
				}
			}
		}
		sys, err := dispatch.New(m, cfg)
		if err != nil {
			return nil, err
		}
		// It ends at once, having no thread to run, and lets go of the error handler's.
		_, _ = m.Run(context.Background(), machine.Course{})
		for _, class := range sys.Layout().Classes() {
			l.Lines = append(l.Lines, layout.Line{Name: class, Strategy: s.Name, Fields: sys.Layout().FieldsOf(class)})
		}
	}
	return l, nil
}

// LayoutText is a layout's file to copy.
func LayoutText(name string) ([]byte, error) {
	if name == spec.OwnLayout {
		l, err := OwnLayout()
		if err != nil {
			return nil, err
		}
		remarks := []string{
			"Which fields share a cache line under each strategy, by default.",
			"Copy it, move a field to a [[line]] of its own, and run it: lab run --machine sim --layout FILE",
			"A field that no [[line]] names stays where the strategy has it, so an entry or two do.",
			"These fields have no line by default, since nobody writes what is there: " + strings.Join(unplaced(l), ", "),
		}
		return spec.LayoutFileText(l, remarks...), nil
	}
	text, ok := spec.LayoutText(name)
	if !ok {
		_, err := spec.LoadLayout(name) // which says what is legal
		if err == nil {
			err = spec.Usagef("%s is a file already; legal: %s", name, strings.Join(spec.Layouts(), ", "))
		}
		return nil, err
	}
	return text, nil
}

// unplaced are the fields that a layout names nowhere.
func unplaced(l *layout.Layout) []string {
	return slices.DeleteFunc(layout.Names(), func(name string) bool {
		return slices.ContainsFunc(l.Lines, func(line layout.Line) bool { return slices.Contains(line.Fields, name) })
	})
}
