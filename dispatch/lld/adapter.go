package lld

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// adapter is what a host adapter's driver has in common with others: slots for
// the commands that it has, under a lock of its own, and an interrupt that
// drains the replies.
type adapter struct {
	_     [64]byte
	lock  machine.SpinLock
	line  *machine.Line // of free and cmds, under the lock
	free  []int32
	cmds  []*dispatch.Command
	_     [64]byte
	heads machine.Word // replies: a stack of slots+1, of which the handler takes all
	next  []uint32     //lab:free the hardware's: reading a reply is in the handler's time
	irq   machine.IRQ
	core  int
	reply func(t *machine.Thread, slot int32)
	sec   *machine.Section
}

// init makes the adapter of a host with a number of slots. The lock's class is
// the kernel's name of it; reply is called for each slot that is done, in the
// interrupt handler.
func (a *adapter) init(h *dispatch.Host, lock, interrupt string, slots int, reply func(*machine.Thread, int32)) {
	m := h.Machine()
	a.lock.Init(m, lock)
	a.line = machine.NewLine(lock + "_data")
	a.heads.Init(machine.NewLine(interrupt+"_replies"), 0)
	a.cmds = make([]*dispatch.Command, slots)
	a.next = make([]uint32, slots)
	for i := slots - 1; i >= 0; i-- {
		a.free = append(a.free, int32(i))
	}
	a.core = h.ID * m.Cores() / h.HostCount() % m.Cores()
	a.reply = reply
	a.sec = machine.NewSection(interrupt)
	a.irq.Init(m, interrupt, machine.Hard, a.interrupt)
}

// get takes a slot for a command, or answers -1.
func (a *adapter) get(t *machine.Thread, cmd *dispatch.Command) int32 {
	off := t.IRQSave()
	a.lock.Lock(t)
	t.Touch(a.line)
	slot := int32(-1)
	if n := len(a.free); n > 0 {
		slot, a.free = a.free[n-1], a.free[:n-1]
		a.cmds[slot] = cmd
	}
	a.lock.Unlock(t)
	t.IRQRestore(off)
	return slot
}

// put gives a slot back and returns the command that had it.
func (a *adapter) put(t *machine.Thread, slot int32) *dispatch.Command {
	off := t.IRQSave()
	a.lock.Lock(t)
	t.Touch(a.line)
	cmd := a.cmds[slot]
	a.cmds[slot] = nil
	a.free = append(a.free, slot)
	a.lock.Unlock(t)
	t.IRQRestore(off)
	return cmd
}

// post is the hardware: a slot is done, and the interrupt is raised.
func (a *adapter) post(t *machine.Thread, slot int32) {
	for {
		old := a.heads.Load(t)
		a.next[slot] = uint32(old)
		if a.heads.CAS(t, old, uint64(slot)+1) {
			break
		}
	}
	a.irq.Raise(t, a.core)
}

// interrupt takes what is there, oldest first.
//
//go:noinline
func (a *adapter) interrupt(t *machine.Thread) {
	t.Enter(a.sec)
	for at := uint32(a.heads.Swap(t, 0)); at != 0; at = uint32(a.heads.Swap(t, 0)) {
		var first uint32
		for at != 0 {
			at, a.next[at-1], first = a.next[at-1], first, at
		}
		for first != 0 {
			slot := first - 1
			first = a.next[slot]
			a.reply(t, int32(slot))
		}
	}
	t.Leave()
}
