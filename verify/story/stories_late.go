package story

import (
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// A command is completed while its first queuecommand still runs, is tried
// again on another core, and there queuecommand takes longer than the timeout.
// The handler gets the command only when that has returned: a driver in the
// midst of taking a command cannot abort it.
func slowQueueCommand(s *scene) {
	if !s.open(stage{set: map[string]string{"host.cmd_per_lun": "1"}}) {
		return
	}
	d := s.sys.Devices()[0]
	calls, inside := 0, 0
	s.drv.abort = true
	s.drv.call = func(t *machine.Thread, cmd *dispatch.Command) bool {
		if cmd.Request.Sector == 0 || cmd.Request.Op.OfHandler() {
			return false
		}
		calls++
		switch calls {
		case 1:
			cmd.Result = scsi.Result{Host: scsi.DidSoftError}
			s.drv.leave()
			cmd.Done(t)
			t.Work(5 * time.Millisecond)
		case 2:
			inside++
			t.Work(60 * time.Millisecond)
			inside--
			cmd.Lost = true
		default:
			return false
		}
		return true
	}
	s.drv.aborting = func(*dispatch.Command) {
		s.want(inside == 0, "a command is aborted whose queuecommand still runs")
	}
	s.thread("idle", func(*machine.Thread, *dispatch.Issuer) {}) // the handler's core
	s.thread("first", func(t *machine.Thread, iss *dispatch.Issuer) { s.failed(write(t, iss, d, 0)) })
	s.thread("second", func(t *machine.Thread, iss *dispatch.Issuer) {
		t.Sleep(20 * time.Microsecond)
		s.failed(write(t, iss, d, 1))
	})
	l, c := s.play()
	s.want(l.Requeued == 2 && c.TimedOut == 1 && c.Retried == 1, "%+v %+v", l, c)
}

// Nothing makes the driver let go of a command, and its device goes offline.
// The command comes back long after it was given up, while others are under
// way, and does nothing.
func lateAfterOffline(s *scene) {
	if !s.open(stage{luns: 2}) {
		return
	}
	bad, good := s.sys.Devices()[0], s.sys.Devices()[1]
	var kept *dispatch.Command
	var back machine.Timer
	back.Init(s.m, "late", machine.Device, func(t *machine.Thread) { kept.Done(t) })
	s.drv.call = func(t *machine.Thread, cmd *dispatch.Command) bool {
		if kept != nil || cmd.Device() != bad {
			return false
		}
		kept = cmd
		back.Arm(t, 150*time.Millisecond)
		return true
	}
	s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
		err := write(t, iss, bad, 0)
		s.want(hostByte(err) == scsi.DidTimeOut, "%v", err)
		s.want(bad.State(t) == dispatch.DeviceOffline, "the device is %v", bad.State(t))
		s.drv.latency = 5 * time.Millisecond
		for n := range 40 {
			began := t.Now()
			s.failed(write(t, iss, good, n))
			s.want(t.Now()-began > 5*time.Millisecond, "a command took %v, and the device needs 5 ms", t.Now()-began)
		}
	})
	_, c := s.play()
	s.want(c.Late == 1 && c.Offlined == 1, "%+v", c)
}

// The driver ends a command itself whose time is over, and the path tries it
// again: the handler never hears of it.
func endedByDriver(s *scene) {
	if !s.open(stage{}) {
		return
	}
	s.drv.lose = firsts(1)
	s.drv.timedOut = func(t *machine.Thread, cmd *dispatch.Command) eh.Answer {
		s.want(s.drv.back(t, cmd), "the hardware does not let go of the command")
		cmd.Result = scsi.Result{Host: scsi.DidSoftError}
		return eh.Handled
	}
	s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) { s.failed(write(t, iss, s.sys.Devices()[0], 0)) })
	l, c := s.play()
	s.want(l.Requeued == 1 && c == eh.Counts{}, "%+v %+v", l, c)
}
