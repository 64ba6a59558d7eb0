package dispatch

import (
	"sync/atomic"
	"time"

	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// depth is a device's queue depth as it is now: at most QueueDepth, less where
// the device has said TASK SET FULL. It is a plain field of the kernel's, which
// strategies read where they read the device's other fields, and so costs
// nothing of its own.
type depth struct {
	now      atomic.Int64
	up, down atomic.Int64 // times of the last changes, in ns of the run
	tick     atomic.Int64 //lab:free as now: 16 ms, in which TASK SET FULL came last
	times    atomic.Int64 //lab:free as now: ticks in which it came at this depth
}

// Depth is how many commands may be active on the device now, at least 1.
func (d *Device) Depth() int { return int(d.depth.now.Load()) }

// adjustDepth follows a completed command's status, where
// midlayer.track_queue_depth asks for it.
func (h *Host) adjustDepth(t *machine.Thread, cmd *Command) {
	if !h.sys.trackDepth || cmd.Result.Host != scsi.DidOK {
		return
	}
	switch cmd.Result.Status {
	case scsi.TaskSetFull:
		for _, d := range cmd.Device().Target.Devices {
			if d.tracked(t.Now(), h.sys.fullTimes) {
				d.rampDown(t.Now())
			}
		}
	case scsi.Good:
		if d := cmd.Device(); d.Depth() < d.QueueDepth && d.mayRampUp(t.Now(), h.sys.rampUp) {
			for _, d := range d.Target.Devices {
				d.rampUp(t.Now())
			}
		}
	}
}

// tracked reports whether one more TASK SET FULL is to lower the depth
// (scsi_track_queue_full): each one does, or the last of so many ticks of 16 ms in
// which some came while the depth did not change.
func (d *Device) tracked(now time.Duration, times int64) bool {
	if times <= 1 {
		return true
	}
	tick := int64(now/(16*time.Millisecond)) + 1
	if d.depth.tick.Swap(tick) == tick || d.depth.times.Add(1) < times {
		return false
	}
	d.depth.times.Store(0)
	return true
}

// rampDown lowers the depth by one (scsi_handle_queue_full).
func (d *Device) rampDown(now time.Duration) {
	d.depth.down.Store(int64(now))
	for {
		n := d.depth.now.Load()
		if n <= 1 || d.depth.now.CompareAndSwap(n, n-1) {
			return
		}
	}
}

// mayRampUp reports whether a period has gone by since the depth was changed
// last, either way, and takes the turn (scsi_handle_queue_ramp_up).
func (d *Device) mayRampUp(now, period time.Duration) bool {
	up, down := d.depth.up.Load(), d.depth.down.Load()
	return int64(now)-max(up, down) >= int64(period) && d.depth.up.CompareAndSwap(up, int64(now))
}

// rampUp raises the depth by one.
func (d *Device) rampUp(now time.Duration) {
	d.depth.up.Store(int64(now))
	for {
		n := d.depth.now.Load()
		if n >= int64(d.QueueDepth) || d.depth.now.CompareAndSwap(n, n+1) {
			return
		}
	}
}
