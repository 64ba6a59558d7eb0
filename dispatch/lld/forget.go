package lld

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// forgetSlot takes a command away from an adapter, and frees its slot. Where the
// reply is on its way, the interrupt handler will do that.
func (a *adapter) forgetSlot(t *machine.Thread, cmd *dispatch.Command) bool {
	if !cmd.TakeBack(t) {
		return false
	}
	a.put(t, int32(cmd.HostData))
	return true
}

// forgetFrame does the same for a message frame (mptscsih_abort, the reset
// handlers).
func (d *mptsas) forgetFrame(t *machine.Thread, cmd *dispatch.Command) bool {
	if !cmd.TakeBack(t) {
		return false
	}
	frame := int32(cmd.HostData)
	off := t.IRQSave()
	d.look.Lock(t)
	t.Touch(d.table)
	d.lookup[frame] = nil
	d.look.Unlock(t)
	t.IRQRestore(off)
	d.freeChains(t, &d.frames[frame])
	d.putFrame(t, frame)
	return true
}

// freeChains gives a frame's chain frames back, one by one as the driver does.
func (d *mptsas) freeChains(t *machine.Thread, fr *mptFrame) {
	for ; fr.chains > 0; fr.chains-- {
		off := t.IRQSave()
		d.freeQ.Lock(t)
		t.Touch(d.ioc)
		d.chains++
		d.freeQ.Unlock(t)
		t.IRQRestore(off)
	}
}
