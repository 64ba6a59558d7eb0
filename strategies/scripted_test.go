package strategies_test

import (
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
	"hostlock/machine/param"
)

// scripted is a driver that does what a test tells it: queuecommand answers
// with what answer says, and an accepted command is completed after latency.
type scripted struct {
	mu      sync.Mutex
	answer  func(n int, cmd *dispatch.Command) dispatch.Code
	calls   int
	seen    []int64 // sectors, in the order of accepted commands
	when    []time.Duration
	latency time.Duration
	result  func(cmd *dispatch.Command) scsi.Result
}

// script is the driver of the next system that is made.
var script *scripted

func init() {
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name: "scripted", About: "for tests",
		Template: dispatch.HostTemplate{CanQueue: 8, CmdPerLUN: 4, SGTableSize: 4, MaxSectors: 64},
		New:      func(*dispatch.Host, *param.Set) (dispatch.Driver, error) { return script, nil },
	})
}

func (d *scripted) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	d.mu.Lock()
	n := d.calls
	d.calls++
	d.mu.Unlock()
	if d.answer != nil {
		if code := d.answer(n, cmd); code != dispatch.Accepted {
			return code
		}
	}
	d.mu.Lock()
	d.seen = append(d.seen, cmd.Request.Sector)
	d.when = append(d.when, t.Now())
	d.mu.Unlock()
	cmd.Result = scsi.Result{}
	if d.result != nil {
		cmd.Result = d.result(cmd)
	}
	if d.latency == 0 {
		cmd.Done(t)
	} else {
		cmd.Arm(t, d.latency)
	}
	return dispatch.Accepted
}

func (d *scripted) Expire(t *machine.Thread, cmd *dispatch.Command) { cmd.Done(t) }
