package verify

import (
	"slices"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/explore"
)

// boundary is between the path and a strategy, and looks whether each verb
// leaves interrupts as it found them. Without it the next verb that turns them on
// would hide that one forgot to.
type boundary struct {
	dispatch.Strategy
	m      *explore.Machine
	inside meetings
}

// meetings says, by verb, how many agents are in it, and how many were at most; and,
// by limit, whether two were at its last slot.
type meetings map[string]*meeting

type meeting struct {
	now, most int
	devices   []*dispatch.Device // by agent that is in it
}

// Limits that two agents may come to at once, each a meeting of its own. A queue's
// depth is none: most strategies guard it by the queue's lock, where nobody meets.
const (
	hostLimit   = "the host's limit"
	targetLimit = "a target's limit"
)

// last notes that an agent asks for a slot of a limit of which one is left, or none,
// and whether another asks, too.
func (m meetings) last(limit string, full, other bool) {
	if !full {
		return
	}
	v := m[limit]
	if v == nil {
		v = &meeting{}
		m[limit] = v
	}
	if v.most = max(v.most, 1); other {
		v.most = 2
	}
}

// next notes that an agent asks for a command of a device.
func (m meetings) next(dev *dispatch.Device) func() {
	out := m.enter("Next")
	v := m["Next"]
	var host, target bool
	for _, d := range v.devices {
		host = host || d.Host == dev.Host
		target = target || d.Target == dev.Target
	}
	h, tg := dev.Host, dev.Target
	m.last(hostLimit, h.Template.CanQueue > 0 && h.WithDriver() >= h.CanQueue()-1, host)
	m.last(targetLimit, tg.CanQueue > 0 && tg.WithDriver() >= tg.CanQueue-1, target)
	v.devices = append(v.devices, dev)
	return func() {
		out()
		i := slices.Index(v.devices, dev)
		v.devices = slices.Delete(v.devices, i, i+1)
	}
}

// contested are the verbs in which a strategy meets itself: what one agent alone
// is ever in shows nothing of what they share.
var contested = []string{"Next", "Release", hostLimit, targetLimit}

func (m meetings) enter(verb string) func() {
	v := m[verb]
	if v == nil {
		v = &meeting{}
		m[verb] = v
	}
	v.now++
	v.most = max(v.most, v.now)
	return func() { v.now-- }
}

// leave has everybody out, as a schedule that was stopped does not.
func (m meetings) leave() {
	for _, v := range m {
		v.now, v.devices = 0, v.devices[:0]
	}
}

// alone are the verbs in which no two agents ever were, and the limits whose last slot
// no two asked for at once.
func (v *verifier) alone() []string {
	var out []string
	for _, verb := range contested {
		if m := v.inside[verb]; m != nil && m.most < 2 {
			out = append(out, verb)
		}
	}
	return out
}

// A boundary of a strategy that is more than that is more, too.
type (
	boundaryRecovers struct {
		boundary
		recoverer dispatch.Recoverer
	}
	boundaryLocks struct {
		boundary
		dispatch.HostLocker
	}
	boundaryBoth struct {
		boundaryRecovers
		dispatch.HostLocker
	}
)

func newBoundary(m *explore.Machine, s dispatch.Strategy, inside meetings) dispatch.Strategy {
	b := boundary{s, m, inside}
	r, recovers := s.(dispatch.Recoverer)
	l, locks := s.(dispatch.HostLocker)
	switch {
	case recovers && locks:
		return &boundaryBoth{boundaryRecovers{b, r}, l}
	case recovers:
		return &boundaryRecovers{b, r}
	case locks:
		return &boundaryLocks{b, l}
	}
	return &b
}

var stateOf = map[bool]string{false: "on", true: "off"}

// same fails where interrupts are not as they were when the verb was entered.
// Not deferred: a stopped run leaves its verbs by a panic, wherever they are.
func (b *boundary) same(verb string, was bool) {
	if is := b.m.InterruptsOff(); is != was {
		b.m.Fail(explore.InterruptSafety, "%s returned with interrupts %s; it was entered with them %s", verb, stateOf[is], stateOf[was])
	}
}

func (b *boundary) around(verb string, call func()) {
	was := b.m.InterruptsOff()
	call()
	b.same(verb, was)
}

// left fails where a queue is left with interrupts off.
func (b *boundary) left(verb string) {
	if b.m.InterruptsOff() {
		b.m.Fail(explore.InterruptSafety, "%s left the queue with interrupts off; it was entered with them on", verb)
	}
}

// Enter and those after it implement dispatch.Strategy. While a queue is
// entered interrupts are the strategy's business, and so Insert and Back, and
// what Enter, Next and Starved do where the queue is entered afterwards, are free.
func (b *boundary) Enter(t *machine.Thread, dev *dispatch.Device) bool {
	was := b.m.InterruptsOff()
	entered := b.Strategy.Enter(t, dev)
	if !entered {
		b.same("Enter, which did not enter,", was)
	}
	return entered
}

func (b *boundary) Next(t *machine.Thread, dev *dispatch.Device) *dispatch.Command {
	out := b.inside.next(dev)
	cmd := b.Strategy.Next(t, dev)
	out()
	if cmd != nil {
		b.left("Next")
	}
	return cmd
}

func (b *boundary) Exit(t *machine.Thread, dev *dispatch.Device) {
	b.Strategy.Exit(t, dev)
	b.left("Exit")
}

func (b *boundary) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	was := b.m.InterruptsOff()
	code := b.Strategy.Call(t, cmd)
	b.same("Call", was)
	return code
}

func (b *boundary) Release(t *machine.Thread, cmd *dispatch.Command) {
	b.around("Release", func() { b.Strategy.Release(t, cmd) })
}

func (b *boundary) Unblock(t *machine.Thread, cmd *dispatch.Command) {
	b.around("Unblock", func() { b.Strategy.Unblock(t, cmd) })
}

func (b *boundary) End(t *machine.Thread, cmd *dispatch.Command) {
	b.around("End", func() { b.Strategy.End(t, cmd) })
}

func (b *boundary) Starved(t *machine.Thread, run *dispatch.Run) *dispatch.Device {
	was := b.m.InterruptsOff()
	dev := b.Strategy.Starved(t, run)
	if dev == nil {
		b.same("Starved, which took no device,", was)
	}
	return dev
}

func (b *boundary) Requeue(t *machine.Thread, cmd *dispatch.Command) {
	b.around("Requeue", func() { b.Strategy.Requeue(t, cmd) })
}

func (b *boundary) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	b.around("Block", func() { b.Strategy.Block(t, dev, code) })
}

func (b *boundary) SetHostState(t *machine.Thread, s dispatch.HostState) error {
	was := b.m.InterruptsOff()
	err := b.Strategy.SetHostState(t, s)
	b.same("SetHostState", was)
	return err
}

func (b *boundary) SetDeviceState(t *machine.Thread, dev *dispatch.Device, s dispatch.DeviceState) {
	b.around("SetDeviceState", func() { b.Strategy.SetDeviceState(t, dev, s) })
}

func (b *boundary) SelfBlock(t *machine.Thread, on bool) {
	b.around("SelfBlock", func() { b.Strategy.SelfBlock(t, on) })
}

// Fail and Quiet implement dispatch.Recoverer.
func (b *boundaryRecovers) Fail(t *machine.Thread, cmd *dispatch.Command) bool {
	was := b.m.InterruptsOff()
	ok := b.recoverer.Fail(t, cmd)
	b.same("Fail", was)
	return ok
}

func (b *boundaryRecovers) Quiet(t *machine.Thread) bool {
	was := b.m.InterruptsOff()
	quiet := b.recoverer.Quiet(t)
	b.same("Quiet", was)
	return quiet
}
