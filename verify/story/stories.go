package story

import (
	"fmt"
	"slices"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/eh"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

var stories = []Story{
	{"single timeout, good abort", goodAbort},
	{"abort fails, device reset succeeds", resets(eh.DeviceReset)},
	{"abort fails, target reset succeeds", resets(eh.TargetReset)},
	{"abort fails, bus reset succeeds", resets(eh.BusReset)},
	{"abort fails, host reset succeeds", resets(eh.HostReset)},
	{"everything fails, device offline", everythingFails},
	{"retries are limited", retryLimit},
	{"late completion", lateCompletion},
	{"late completion after offline", lateAfterOffline},
	{"queuecommand slower than the timeout", slowQueueCommand},
	{"recovery with 8 LUNs waiting, all restarted", allRestarted},
	{"host removed with 1000 outstanding", removal(true)},
	{"device removed with 1000 outstanding", removal(false)},
	{"QUEUE_FULL storm", queueFullStorm},
	{"sense data fetched", senseFetched},
	{"unit started", unitStarted},
	{"timer started again by the driver", timerAgain},
	{"timed-out command ended by the driver", endedByDriver},
	{"can_queue lowered and raised", canQueueMoves},
}

// A command that is never answered is aborted, tried again, and succeeds;
// nothing harsher is done.
func goodAbort(s *scene) {
	if !s.open(stage{}) {
		return
	}
	s.drv.lose, s.drv.abort = firsts(1), true
	s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
		err := write(t, iss, s.sys.Devices()[0], 0)
		s.want(err == nil, "%v", err)
		s.want(t.Now() > 30*time.Millisecond && t.Now() < 31*time.Millisecond, "it took %v, and the timeout is 30 ms", t.Now())
		s.want(s.sys.Hosts()[0].State(t) == dispatch.HostRunning, "the host is %v", s.sys.Hosts()[0].State(t))
	})
	_, c := s.play()
	want := eh.Counts{TimedOut: 1, Retried: 1, Recoveries: 1}
	want.Stages[eh.CommandAbort] = 1
	s.want(c == want, "%+v", c)
}

// Each level is tried in turn, once for both commands of a device, until one
// works.
func resets(level eh.Level) func(*scene) {
	return func(s *scene) {
		if !s.open(stage{luns: 2}) {
			return
		}
		s.drv.lose, s.drv.reset = firsts(2), level
		s.thread("two", func(t *machine.Thread, iss *dispatch.Issuer) {
			d := s.sys.Devices()[0]
			a, b := submit(t, iss, d, 0), submit(t, iss, d, 1)
			s.failed(iss.Wait(t, a))
			s.failed(iss.Wait(t, b))
		})
		_, c := s.play()
		s.want(s.drv.aborts == 2, "%d aborts", s.drv.aborts)
		s.want(len(s.drv.resets) == int(level) && s.drv.resets[level-1] == level, "resets %v", s.drv.resets)
		s.want(c.Retried == 2 && c.Offlined == 0, "%+v", c)
	}
}

// The device goes offline; its commands fail as timed out, those that wait for
// it as not connected; its neighbour works on.
func everythingFails(s *scene) {
	if !s.open(stage{luns: 2}) {
		return
	}
	s.drv.lose = func(cmd *dispatch.Command) bool { return cmd.Device().LUN == 0 }
	s.drv.dead = func(d *dispatch.Device) bool { return d.LUN == 0 }
	s.thread("many", func(t *machine.Thread, iss *dispatch.Issuer) {
		bad, good := s.sys.Devices()[0], s.sys.Devices()[1]
		var rqs []*dispatch.Request
		for i := range 7 { // more than the queue depth of 4
			rqs = append(rqs, submit(t, iss, bad, i))
		}
		s.failed(write(t, iss, good, 0))
		for i, rq := range rqs {
			want := scsi.DidTimeOut
			if i >= 4 {
				want = scsi.DidNoConnect
			}
			err := iss.Wait(t, rq)
			s.want(hostByte(err) == want, "command %d: %v", i, err)
		}
		s.want(bad.State(t) == dispatch.DeviceOffline, "the device is %v", bad.State(t))
		s.failed(write(t, iss, good, 1))
	})
	_, c := s.play()
	s.want(c.Offlined == 1 && c.GaveUp == 4, "%+v", c)
}

// A command that is lost every time is tried as often as it may be, and fails.
func retryLimit(s *scene) {
	if !s.open(stage{set: map[string]string{"midlayer.retries": "3"}}) {
		return
	}
	s.drv.lose, s.drv.abort = firsts(1000), true
	s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
		err := write(t, iss, s.sys.Devices()[0], 0)
		s.want(hostByte(err) == scsi.DidTimeOut, "%v", err)
	})
	l, c := s.play()
	s.want(l.Requeued == 3 && c.Recoveries == 4, "put back %d times, %d recoveries", l.Requeued, c.Recoveries)
}

// A device that answers after the timeout changes nothing: the command is tried
// again. The second command keeps the host from recovering until the first has
// come back, and comes back itself while the host settles after its reset.
func lateCompletion(s *scene) {
	if !s.open(stage{luns: 2, set: map[string]string{"midlayer.retries": "1"}}) {
		return
	}
	s.drv.latency = 40 * time.Millisecond
	s.thread("two", func(t *machine.Thread, iss *dispatch.Issuer) {
		a := submit(t, iss, s.sys.Devices()[0], 0)
		t.Sleep(20 * time.Millisecond)
		b := submit(t, iss, s.sys.Devices()[1], 0)
		t.Sleep(25 * time.Millisecond)
		s.drv.latency = 100 * time.Microsecond
		s.failed(iss.Wait(t, a))
		s.failed(iss.Wait(t, b))
		// Whoever counted a late one would count slots that are not there.
		var rqs []*dispatch.Request
		for i := range 20 {
			rqs = append(rqs, submit(t, iss, s.sys.Devices()[i%2], i))
		}
		for _, rq := range rqs {
			s.failed(iss.Wait(t, rq))
		}
	})
	_, c := s.play()
	s.want(c.Late == 2 && c.TimedOut == 2, "%+v", c)
}

// One lost command stops the host. Meanwhile eight LUNs get a command each, and
// all are restarted when the host is back, by that and not by their plugs.
func allRestarted(s *scene) {
	if !s.open(stage{luns: 8, set: map[string]string{"host.can_queue": "2", "midlayer.unplug_delay": "200ms"}}) {
		return
	}
	s.drv.lose, s.drv.abort, s.drv.probes = firsts(1), true, 5*time.Millisecond
	h := s.sys.Hosts()[0]
	var back, last time.Duration
	s.thread("first", func(t *machine.Thread, iss *dispatch.Issuer) {
		s.failed(write(t, iss, s.sys.Devices()[0], 0))
		back = t.Now()
	})
	for i, d := range s.sys.Devices() {
		s.thread(fmt.Sprint("waiter-", i), func(t *machine.Thread, iss *dispatch.Issuer) {
			t.Sleep(32*time.Millisecond - t.Now())
			s.want(h.State(t).InRecovery(), "the host is %v", h.State(t))
			s.failed(write(t, iss, d, 1))
			s.want(t.Now() > 35*time.Millisecond, "LUN %d worked during recovery", i)
			last = max(last, t.Now())
		})
	}
	_, c := s.play()
	s.want(c.Recoveries == 1, "%+v", c)
	s.want(last-back < 20*time.Millisecond, "the last LUN was restarted %v after the first", last-back)
}

// The host, or a device, goes away with 1000 commands outstanding, half of them
// with the driver, two of which are lost. What the driver answers succeeds, what
// waits fails.
func removal(whole bool) func(*scene) {
	return func(s *scene) {
		if !s.open(stage{targets: 2, luns: 2, set: map[string]string{"host.can_queue": "512", "host.cmd_per_lun": "128"}}) {
			return
		}
		const threads, each = 10, 100
		var lost int
		s.drv.latency, s.drv.probes, s.drv.abort = 25*time.Millisecond, 100*time.Microsecond, true
		s.drv.lose = func(cmd *dispatch.Command) bool {
			if cmd.Device().Index != 3 || lost == 2 {
				return false
			}
			lost++
			return true
		}
		var ends [4]map[scsi.HostByte]int
		for i := range ends {
			ends[i] = map[scsi.HostByte]int{}
		}
		waiting := 0
		for i := range threads {
			s.thread(fmt.Sprint("deep-", i), func(t *machine.Thread, iss *dispatch.Issuer) {
				var rqs []*dispatch.Request
				for n := range each {
					rqs = append(rqs, submit(t, iss, s.sys.Devices()[n%4], i*each+n))
					waiting++
				}
				for _, rq := range rqs {
					d := rq.Device.Index
					ends[d][hostByte(iss.Wait(t, rq))]++
					waiting--
				}
			})
		}
		s.thread("remover", func(t *machine.Thread, iss *dispatch.Issuer) {
			t.Sleep(20 * time.Millisecond)
			s.want(waiting == threads*each, "%d outstanding", waiting)
			s.want(s.drv.now == 512, "%d with the driver", s.drv.now)
			if whole {
				s.failed(s.sys.Hosts()[0].Remove(t))
				return
			}
			s.sys.Devices()[0].SetState(t, dispatch.DeviceDel)
		})
		s.play()
		for i, got := range ends {
			want := map[scsi.HostByte]int{0: 250}
			if whole || i == 0 {
				want = map[scsi.HostByte]int{0: 128, scsi.DidNoConnect: 122}
			}
			if whole && i == 3 {
				want[0], want[scsi.DidTimeOut] = 126, 2
			}
			for _, b := range []scsi.HostByte{0, scsi.DidNoConnect, scsi.DidTimeOut} {
				s.want(got[b] == want[b], "device %d: %d commands ended with host byte %#x, and %d must", i, got[b], b, want[b])
			}
		}
	}
}

// A device that answers every command with TASK SET FULL for a while lowers the
// depth of all LUNs of its target to 1, but not of another's, and it rises again,
// a step a period, once the storm is over.
func queueFullStorm(s *scene) {
	if !s.open(stage{targets: 2, luns: 2, set: map[string]string{
		"host.can_queue": "64", "host.cmd_per_lun": "8",
		"midlayer.track_queue_depth": "true", "midlayer.ramp_up_period": "5ms",
	}}) {
		return
	}
	const storm = 20 * time.Millisecond
	devs := s.sys.Devices()
	least := []int{8, 8, 8, 8}
	s.drv.latency = 200 * time.Microsecond
	s.drv.result = func(now time.Duration, cmd *dispatch.Command) scsi.Result {
		for i, d := range devs {
			least[i] = min(least[i], d.Depth())
		}
		if now < storm && cmd.Device() == devs[0] {
			return scsi.Result{Status: scsi.TaskSetFull}
		}
		return scsi.Result{}
	}
	for i := range 32 {
		s.thread(fmt.Sprint("writer-", i), func(t *machine.Thread, iss *dispatch.Issuer) {
			for n := 0; t.Now() < 100*time.Millisecond; n++ {
				s.failed(write(t, iss, devs[i%4], n))
				t.Sleep(10 * time.Microsecond)
			}
		})
	}
	l, _ := s.play()
	s.want(l.Requeued > 0, "nothing was put back")
	s.want(slices.Equal(least, []int{1, 1, 8, 8}), "the lowest depths were %v", least)
	for i, d := range devs {
		s.want(d.Depth() == 8, "device %d ends with a depth of %d", i, d.Depth())
	}
}
