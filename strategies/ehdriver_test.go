package strategies_test

import (
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/param"
)

// ehScript is a driver whose hardware loses the commands that a test names, and
// recovers as far as the test says.
type ehScript struct {
	mu      sync.Mutex
	latency time.Duration
	// lose names the commands that are never answered; probe says whether a
	// device answers TEST UNIT READY.
	lose  func(cmd *dispatch.Command) bool
	probe func(d *dispatch.Device) bool
	// full names commands that end with TASK SET FULL.
	full func(now time.Duration, cmd *dispatch.Command) bool
	// abort says whether aborts succeed, reset which levels do.
	abort   bool
	reset   dispatch.Level // the mildest reset that works; 0 is none
	aborts  int
	resets  []dispatch.Level
	started map[*dispatch.Device]int // commands that the driver took, by device
}

// ehDriver is the driver of the next system that is made.
var ehDriver *ehScript

func init() {
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name: "failing", About: "for tests of error handling",
		Template: dispatch.HostTemplate{CanQueue: 8, CmdPerLUN: 4, SGTableSize: 4, MaxSectors: 64},
		New:      func(*dispatch.Host, *param.Set) (dispatch.Driver, error) { return ehDriver, nil },
	})
}

func (d *ehScript) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	d.mu.Lock()
	defer d.mu.Unlock()
	cmd.Result = dispatch.Result{}
	if cmd.Request.Op == dispatch.TestUnitReady {
		if d.probe != nil && !d.probe(cmd.Device()) {
			cmd.Lost = true
			return dispatch.Accepted
		}
	} else {
		if d.started == nil {
			d.started = map[*dispatch.Device]int{}
		}
		d.started[cmd.Device()]++
		if d.lose != nil && d.lose(cmd) {
			cmd.Lost = true
			return dispatch.Accepted
		}
		if d.full != nil && d.full(t.Now(), cmd) {
			cmd.Result = dispatch.Result{Status: dispatch.TaskSetFull}
		}
	}
	cmd.Arm(t, d.latency)
	return dispatch.Accepted
}

func (d *ehScript) Expire(t *machine.Thread, cmd *dispatch.Command) { cmd.Done(t) }

func (d *ehScript) Abort(t *machine.Thread, cmd *dispatch.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.aborts++
	return d.abort && cmd.TakeBack(t)
}

func (d *ehScript) Reset(t *machine.Thread, level dispatch.Level, _ *dispatch.Device, cmds []*dispatch.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resets = append(d.resets, level)
	if d.reset == 0 || level < d.reset {
		return false
	}
	all := true
	for _, cmd := range cmds {
		all = cmd.TakeBack(t) && all
	}
	return all
}
