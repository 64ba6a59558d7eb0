package dispatch

import "hostlock/machine"

func (d *Device) initPlug(sys *System) {
	d.state.Init(machine.NewLine("sdev_state"), uint64(DeviceRunning))
	d.work.Init(machine.NewLine("unplug_work"), 0)
	d.unplug.Init(sys.m, "unplug_timer", machine.Soft, func(t *machine.Thread) { d.queueWork(t, workUnplug) })
}

// Plug has kblockd run the device's queue after the unplug delay, 3 ms
// (blk_plug_device). Whether the queue is plugged is for the strategy to know:
// it calls Plug only when it was not.
func (d *Device) Plug(t *machine.Thread) { d.unplug.Arm(t, d.Host.sys.delay) }

// Unplug takes that back (blk_remove_plug). Kblockd may come all the same.
func (d *Device) Unplug(t *machine.Thread) { d.unplug.Disarm(t) }

// Kick has kblockd run the starved devices of the host, and then this one, as
// soon as it gets the core.
func (d *Device) Kick(t *machine.Thread) { d.queueWork(t, workRun) }
