package lld

import (
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
)

// ncrBus is the commands whose target has let go of the bus and takes its
// time, for the sake of a fault: their LUs stay busy until they reselect, or
// are aborted. Both generations of the driver have one; what serves the bus
// holds the lock that guards it.
type ncrBus struct {
	h    *dispatch.Host
	back machine.Word // who wants the bus again: a stack of command indices, linked by HostData
	wake *machine.Completion
	slow bool // some fault delays commands
}

func (b *ncrBus) init(h *dispatch.Host, r *recovery, wake *machine.Completion) {
	b.h, b.wake = h, wake
	b.slow = r.late > 0 || r.hangEnd > r.hangAt
	b.back.Init(machine.NewLine("reselect"), 0)
}

// draw has a fault decide, in queuecommand, whether the target will answer, and
// how late; the command keeps that until its turn comes.
func (b *ncrBus) draw(t *machine.Thread, r *recovery, cmd *dispatch.Command) {
	late, _ := r.answer(t, cmd, 0)
	cmd.HostData = int(late)
}

// disconnects reports whether a command's target lets go of the bus as soon as
// it has the command, for some time or for ever.
func (b *ncrBus) disconnects(t *machine.Thread, cmd *dispatch.Command) bool {
	if cmd.Lost {
		return true
	}
	late := time.Duration(cmd.HostData)
	if late > 0 {
		cmd.HostData = 0
		cmd.Arm(t, late)
	}
	return late > 0
}

// reselect is the interrupt of a target that wants the bus again; the work item
// sees to it.
func (b *ncrBus) reselect(t *machine.Thread, cmd *dispatch.Command) {
	for {
		old := b.back.Load(t)
		cmd.HostData = int(old)
		if b.back.CAS(t, old, uint64(cmd.Index)) {
			break
		}
	}
	b.wake.Complete(t)
}

// reselected puts who wants the bus again in front of those that wait for it.
func (b *ncrBus) reselected(t *machine.Thread, waiting []*dispatch.Command) []*dispatch.Command {
	if !b.slow {
		return waiting
	}
	for index := uint32(b.back.Swap(t, 0)); index != 0; {
		cmd := b.h.Command(index)
		index, cmd.HostData = uint32(cmd.HostData), ncrReselected
		waiting = append([]*dispatch.Command{cmd}, waiting...)
	}
	return waiting
}

// ncrReselected marks a command whose LU is busy with itself.
const ncrReselected = -1

// first takes the first command whose LU is free, or that has it, and marks
// that busy. Commands that disconnect at once are passed over; they keep their
// LU.
func (b *ncrBus) first(t *machine.Thread, waiting []*dispatch.Command, busy []bool) (*dispatch.Command, []*dispatch.Command) {
	for i := 0; i < len(waiting); i++ {
		c := waiting[i]
		lu := c.Device().Index
		if busy[lu] && c.HostData != ncrReselected {
			continue
		}
		busy[lu] = true
		waiting = append(waiting[:i], waiting[i+1:]...)
		if c.HostData != ncrReselected && b.disconnects(t, c) {
			i--
			continue
		}
		return c, waiting
	}
	return nil, waiting
}

// forget takes a command away from those that wait for the bus, or from its
// target (NCR5380_abort); where it has the bus, or is about to, that is left to
// end. The lock is held.
func (b *ncrBus) forget(t *machine.Thread, cmd *dispatch.Command, waiting []*dispatch.Command, busy []bool) ([]*dispatch.Command, bool) {
	for i, c := range waiting {
		if c == cmd {
			if c.HostData == ncrReselected {
				busy[cmd.Device().Index] = false
			}
			return append(waiting[:i], waiting[i+1:]...), true
		}
	}
	if !cmd.TakeBack(t) {
		return waiting, false
	}
	busy[cmd.Device().Index] = false
	return waiting, true
}
