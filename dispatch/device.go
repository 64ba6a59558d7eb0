package dispatch

import (
	"fmt"

	"hostlock/machine"
	"hostlock/machine/layout"
)

// Device is one logical unit with its request queue (struct scsi_device and
// struct request_queue). The queue itself is the strategy's.
type Device struct {
	ID         int // in the system
	Index      int // in its host
	LUN        int // in its target
	Host       *Host
	Target     *Target
	QueueDepth int   // commands active at a time, at most; see Depth
	Capacity   int64 // in sectors of 512 bytes
	// Slower is how many times as long as others it needs for a command.
	Slower float64

	object   *layout.Object
	reads    machine.Fields // what a section reads of the device before it does anything: its host
	state    machine.Word
	unplug   machine.Timer
	work     machine.Word // what kblockd is to do: bits of workUnplug and workRun
	nextWork *Device      // in a core's list of work
	commands gauge
	tasks    taskSet
	depth    depth
	waiting  waiting
	held     occupancy
}

// Name is host:channel:target:lun, as Linux writes it.
func (d *Device) Name() string {
	return fmt.Sprintf("%d:0:%d:%d", d.Host.ID, d.Target.Index, d.LUN)
}

// MaxSectors is the largest request in 512-byte sectors (max_hw_sectors), and
// MaxSegments the most scatter/gather entries, the lesser of the driver's limit
// and the mid-layer's: larger ones fail with [ErrTooLarge].
func (d *Device) MaxSectors() int { return d.Host.Template.MaxSectors }
func (d *Device) MaxSegments() int {
	return min(d.Host.Template.SGTableSize, d.Host.MaxPhysSegments)
}

// State is the device's state, read as an unlocked reader reads it.
func (d *Device) State(t *machine.Thread) DeviceState { return DeviceState(d.state.Load(t)) }

// StoreState stores a new state; strategies call it, inside whatever makes the
// change safe for them.
func (d *Device) StoreState(t *machine.Thread, s DeviceState) { d.state.Store(t, uint64(s)) }

// SetState changes the state of the device, and has its queue run where that
// may let requests pass or must fail them.
func (d *Device) SetState(t *machine.Thread, s DeviceState) {
	d.Host.strategy.SetDeviceState(t, d, s)
	if !s.Blocked() && s != DeviceQuiesce {
		d.Kick(t)
	}
}

func (d *Device) initPlug(sys *System) {
	d.reads = d.object.Placed("scsi_device.host")
	d.state.Init(d.Own("sdev_state").Line("scsi_device.sdev_state"), uint64(DeviceRunning))
	d.work.Init(d.Own("unplug_work").Line("request_queue.unplug_work"), 0)
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

// Unused reports whether the driver never had a command for the device, once
// the machine has stopped.
func (d *Device) Unused() bool { return d.commands.max.Load() == 0 }
