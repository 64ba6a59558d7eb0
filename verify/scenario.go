package verify

import (
	"maps"
	"strings"

	"hostlock/dispatch"
	"hostlock/machine"
)

// Scenario is one way in which a strategy is put to the test.
type Scenario struct {
	Name, About string
	// set has parameters that it needs; "$" stands for the host's slots.
	set map[string]string
	// targets, where above 1, each have the LUNs.
	targets int
	// ordered says that each thread submits all its commands before it waits
	// for the first, and that they must reach the driver in order.
	ordered bool
	// upset is what one more thread does meanwhile; rounds is how often.
	upset func(u *upsetter)
	// fails says that commands may fail without the driver's saying so.
	fails bool
	// wrecks says that the system cannot be used again afterwards.
	wrecks bool
	// weight is how often it is drawn; a system that is used again counts for
	// many schedules, and one that is wrecked for one.
	weight int
	// strict says that nothing but a lack of slots refuses a command, so that
	// somebody's completion should restart each: see Config.Strict.
	strict bool
	// abandons says that the host may be beyond recovery when a command times
	// out.
	abandons bool
	// timed has parameters in place of set's, or beside them, where there is time.
	timed map[string]string
	// cores is how many cores it is spread over; 0 is as many as others have.
	cores int
	// recovers says that it needs a strategy that is a dispatch.Recoverer.
	recovers bool
}

// scenarios are all there are, the plain one first.
var scenarios = []*Scenario{
	{
		Name: "plain", About: "more commands than slots, completed in every context", weight: 6, strict: true,
	}, {
		Name: "busy", About: "the driver refuses with every code", weight: 3,
		set: map[string]string{"verify.busy_rate": "0.3", "host.max_host_blocked": "2", "midlayer.max_device_blocked": "2", "midlayer.max_target_blocked": "2"},
	}, {
		Name: "retry", About: "commands come back to be tried again, or fail", weight: 2,
		set: map[string]string{"verify.retry_rate": "0.4", "verify.error_rate": "0.2", "midlayer.max_device_blocked": "2"},
	}, {
		Name: "target", About: "a target with one slot, two LUNs and a neighbour", weight: 3, targets: 2, strict: true,
		set: map[string]string{"host.target_can_queue": "1", "host.can_queue": "$+1"},
	}, {
		Name: "order", About: "a queue depth of 1 and one host slot: each thread's commands to a device come in order", weight: 2, ordered: true,
		set: map[string]string{"host.cmd_per_lun": "1", "host.can_queue": "1"},
	}, {
		Name: "host-lock", About: "a driver that relies on the host lock", weight: 1, strict: true,
		set: map[string]string{"host.needs_host_lock": "true"},
	}, {
		Name: "one-slot", About: "three targets, and one slot of the host for all of them", weight: 1, targets: 3, strict: true,
		set: map[string]string{"host.can_queue": "1", "host.cmd_per_lun": "1"},
	}, {
		Name: "device-limit", About: "a queue depth of 1, under a host that has slots to spare", weight: 1, targets: 2, strict: true,
		set: map[string]string{"host.cmd_per_lun": "1", "host.can_queue": "$+1"},
	}, {
		// What is divided among cores has one part for every so many, and faults
		// between two parts need two.
		Name: "wide", About: "as plain, on 16 cores, of which the first and each fourth issue: a limit that is divided among cores has parts", weight: 1, strict: true, cores: 16,
	}, {
		Name: "busy-target", About: "the driver refuses with every code, and targets have a limit", weight: 2, targets: 2,
		set: map[string]string{"verify.busy_rate": "0.3", "host.target_can_queue": "2", "host.can_queue": "$+1"},
	}, {
		Name: "states", About: "a device is blocked, quiesced or offline, or the host blocks itself or recovers, and is back at once, again and again, among refusals and retries", weight: 2, targets: 3,
		upset: flicker, fails: true,
		set: map[string]string{"host.can_queue": "$+1", "verify.busy_rate": "0.05", "verify.retry_rate": "0.05"},
	}, {
		Name: "block-host", About: "the host blocks itself, and unblocks", weight: 1, upset: blockHost,
	}, {
		Name: "block-device", About: "a device is blocked or quiesced, which marked requests pass, and unblocked", weight: 1, upset: blockDevice,
	}, {
		Name: "recovery", About: "the host goes into recovery and comes out again", weight: 1, upset: recovery,
	}, {
		// A limit and an event together: what is taken before the event is looked at
		// must be given back, and what passes because of it has limits, too.
		Name: "block-host-tight", About: "the host blocks itself, and targets and devices have one slot each", weight: 1, upset: blockHost, targets: 2,
		set: tight(nil),
	}, {
		Name: "block-device-tight", About: "a device is blocked or quiesced, and targets and devices have one slot each", weight: 1, upset: blockDevice, targets: 2,
		set: tight(nil),
	}, {
		Name: "recovery-tight", About: "the host recovers, and targets and devices have one slot each", weight: 1, upset: recovery, targets: 2,
		set: tight(nil),
	}, {
		Name: "refused-tight", About: "the driver refuses and fails commands, and targets and devices have one slot each", weight: 1, targets: 2,
		set: tight(map[string]string{"verify.busy_rate": "0.2", "verify.retry_rate": "0.2", "midlayer.max_device_blocked": "2", "midlayer.max_target_blocked": "2", "host.max_host_blocked": "2"}),
	}, {
		Name: "delete-host", About: "the host is deleted under load: SHOST_DEL", upset: deleteHost, fails: true, wrecks: true, weight: 8,
	}, {
		Name: "offline-device", About: "a device goes offline, or is deleted, under load", upset: offlineDevice, fails: true, wrecks: true, weight: 8,
	}, {
		Name: Timeouts, About: "any command may time out at any moment, or come without sense data; the driver aborts it, unless it is just completing it", weight: 8,
		fails: true, wrecks: true, recovers: true,
		set:   failing(map[string]string{"verify.sense_rate": "0.1", "verify.retry_rate": "0.2"}),
		timed: timed(nil),
	}, {
		Name: TimeoutsRemoval, About: "the same, some aborts are refused, so that devices go offline, and the host is removed, in recovery or not", upset: removeHost, weight: 8,
		fails: true, wrecks: true, abandons: true, recovers: true,
		set:   failing(map[string]string{"verify.stubborn_rate": "0.2"}),
		timed: timed(map[string]string{"verify.stubborn_rate": "0"}),
	}, {
		Name: TimeoutsThrottle, About: "half of the commands that time out get their time once more, and can_queue is lowered and raised meanwhile", weight: 8,
		fails: true, wrecks: true, recovers: true,
		set:   failing(map[string]string{"verify.throttle": "1", "host.can_queue": "$+1"}),
		timed: timed(map[string]string{"verify.throttle": "2"}),
	},
}

// tight has one slot for each target and device, and more of the host.
func tight(more map[string]string) map[string]string {
	set := map[string]string{"host.target_can_queue": "1", "host.cmd_per_lun": "1", "host.can_queue": "$+1"}
	maps.Copy(set, more)
	return set
}

// calm says that nothing but a lack of slots stops a command.
func (s *Scenario) calm() bool {
	if s.upset != nil || s.wrecks {
		return false
	}
	for name := range s.set {
		if strings.HasPrefix(name, DriverName+".") {
			return false
		}
	}
	return true
}

// stands reports whether a scenario still says something where a parameter is set
// by hand: a driver that drops commands needs somebody who looks for them, and one
// that refuses or fails them may turn their order round.
func (s *Scenario) stands(name string) bool {
	switch name {
	case DriverName + ".drop_rate":
		return s.recovers
	case DriverName + ".busy_rate", DriverName + ".retry_rate":
		return !s.ordered
	}
	return true
}

// failing has errors handled, in a time that is none: timers then fire whenever
// they are armed.
func failing(more map[string]string) map[string]string {
	set := map[string]string{"midlayer.error_handling": "true", "midlayer.eh_scale": "0", "midlayer.retries": "3"}
	maps.Copy(set, more)
	return set
}

// timed has errors handled where there is time: a few commands are lost, and
// time out after 3 ms; probes have a second, which no busy computer takes.
func timed(more map[string]string) map[string]string {
	set := map[string]string{
		"midlayer.eh_scale": "0.0001", "midlayer.eh_probe_timeout": "10000s", "midlayer.retries": "1000",
		"verify.drop_rate": "0.02",
	}
	maps.Copy(set, more)
	return set
}

// Names of the scenarios of error handling.
const (
	Timeouts         = "timeouts"
	TimeoutsRemoval  = "timeouts-removal"
	TimeoutsThrottle = "timeouts-throttle"
)

// Cores is how many cores the scenario needs to show what it is for; 0 is any
// number.
func (s *Scenario) Cores() int { return s.cores }

// Recovers reports whether the scenario is one of error handling, which needs a
// strategy that is a dispatch.Recoverer.
func (s *Scenario) Recovers() bool { return s.recovers }

// Scenarios lists their names.
func Scenarios() []string {
	names := make([]string, len(scenarios))
	for i, s := range scenarios {
		names[i] = s.Name
	}
	return names
}

// All lists them.
func All() []Scenario {
	out := make([]Scenario, len(scenarios))
	for i, s := range scenarios {
		out[i] = *s
	}
	return out
}

func find(name string) *Scenario {
	for _, s := range scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// upsetter is the thread that changes states under load.
type upsetter struct {
	*rig
	t   *machine.Thread
	iss *dispatch.Issuer
	n   int // commands it has submitted
}

// during submits a command to a device in a state that must hold it back, and
// ends the state while it waits. The commands of other threads may have passed
// before.
func (u *upsetter) during(dev *dispatch.Device, why string, end func()) {
	u.passing(dev, why, func() { u.t.Sleep(think) }, end)
}

// passing does the same, and has something happen while the command waits.
func (u *upsetter) passing(dev *dispatch.Device, why string, meanwhile, end func()) {
	rq := u.request(dev)
	u.see.hold(u.t, rq.Sector, why)
	u.iss.Submit(u.t, rq)
	meanwhile()
	u.see.hold(u.t, rq.Sector, "")
	end()
	u.wait(rq)
}

// after submits a command to a device that is gone: it must fail without the
// driver.
func (u *upsetter) after(dev *dispatch.Device, why string) {
	rq := u.request(dev)
	sector := rq.Sector
	u.see.hold(u.t, sector, why)
	u.iss.Submit(u.t, rq)
	if u.iss.Wait(u.t, rq) == nil {
		u.see.report("the command of sector %d succeeded although %s", sector, why)
	}
}

// urgent sends a request that a quiesced device takes, past what waits there.
func (u *upsetter) urgent(dev *dispatch.Device) {
	rq := u.request(dev)
	rq.Preempt = true
	u.iss.Submit(u.t, rq)
	u.wait(rq)
}

func (u *upsetter) request(dev *dispatch.Device) *dispatch.Request {
	rq := u.iss.Request(dev, dispatch.Read, u.sector(u.cfg.Threads, u.n), sectors, 1, nil)
	u.n++
	return rq
}

func (u *upsetter) wait(rq *dispatch.Request) {
	sector := rq.Sector
	u.see.finished(u.t, sector, u.iss.Wait(u.t, rq), u.scenario.fails)
}

func (u *upsetter) state(h *dispatch.Host, s dispatch.HostState) {
	if err := h.SetState(u.t, s); err != nil {
		u.see.report("%v", err)
	}
}

func (u *upsetter) anyDevice() *dispatch.Device {
	devs := u.sys.Devices()
	return devs[u.t.Rand().IntN(len(devs))]
}

func blockHost(u *upsetter) {
	h := u.sys.Hosts()[0]
	h.Block(u.t)
	u.during(u.anyDevice(), "its host has blocked itself", func() { h.Unblock(u.t) })
}

func blockDevice(u *upsetter) {
	d := u.anyDevice()
	state, meanwhile := dispatch.DeviceBlock, func() { u.t.Sleep(think) }
	if u.t.Rand().IntN(2) == 0 {
		state, meanwhile = dispatch.DeviceQuiesce, func() { u.urgent(d) }
	}
	d.SetState(u.t, state)
	u.passing(d, "its device is "+state.String(), meanwhile, func() { d.SetState(u.t, dispatch.DeviceRunning) })
}

func recovery(u *upsetter) {
	h := u.sys.Hosts()[0]
	u.state(h, dispatch.HostRecovery)
	u.during(u.anyDevice(), "its host is in recovery", func() { u.state(h, dispatch.HostRunning) })
}

// flicker changes a state and changes it back, with no time in between but what
// others take.
func flicker(u *upsetter) {
	h, d := u.sys.Hosts()[0], u.anyDevice()
	device := func(s dispatch.DeviceState) func() { return func() { d.SetState(u.t, s) } }
	host := func(s dispatch.HostState) func() { return func() { u.state(h, s) } }
	on := device(dispatch.DeviceRunning)
	pairs := [...][2]func(){
		{device(dispatch.DeviceBlock), on}, {device(dispatch.DeviceQuiesce), on}, {device(dispatch.DeviceOffline), on},
		{host(dispatch.HostRecovery), host(dispatch.HostRunning)},
		{func() { h.Block(u.t) }, func() { h.Unblock(u.t) }},
	}
	pair := pairs[u.t.Rand().IntN(len(pairs))]
	for range 3 {
		pair[0]()
		u.t.Yield()
		pair[1]()
	}
}

func deleteHost(u *upsetter) {
	h := u.sys.Hosts()[0]
	u.t.Sleep(think)
	u.state(h, dispatch.HostCancel)
	u.state(h, dispatch.HostDel)
	u.after(u.anyDevice(), "its host is deleted")
}

func removeHost(u *upsetter) {
	h := u.sys.Hosts()[0]
	u.t.Sleep(think)
	if err := h.Remove(u.t); err != nil {
		u.see.report("%v", err)
	}
	u.after(u.anyDevice(), "its host is removed")
}

func offlineDevice(u *upsetter) {
	d := u.anyDevice()
	state := dispatch.DeviceOffline
	if u.t.Rand().IntN(2) == 0 {
		state = dispatch.DeviceDel
	}
	u.t.Sleep(think)
	d.SetState(u.t, state)
	u.after(d, "its device is "+state.String())
}
