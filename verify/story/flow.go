package story

import (
	"fmt"
	"slices"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// flow are the tales in which no error is handled.
var flow = []Story{
	{"HOST_BUSY with nothing outstanding", stalls(dispatch.HostBusy, 7)},
	{"any other answer, which is HOST_BUSY", stalls(dispatch.EHRetry, 7)},
	{"TARGET_BUSY with nothing outstanding", stalls(dispatch.TargetBusy, 3)},
	{"DEVICE_BUSY with nothing outstanding", stalls(dispatch.DeviceBusy, 3)},
	{"a completion ends HOST_BUSY", ends(dispatch.HostBusy, 2)},
	{"a completion ends TARGET_BUSY", ends(dispatch.TargetBusy, 1)},
	{"a completion ends DEVICE_BUSY", ends(dispatch.DeviceBusy, 1)},
	{"refused commands go first", refusedFirst},
	{"queue depth lowered", depthLowered},
	{"blocked device", heldBack(false, deviceState(dispatch.DeviceBlock), deviceState(dispatch.DeviceRunning))},
	{"quiesced device, and what may preempt", heldBack(true, deviceState(dispatch.DeviceQuiesce), deviceState(dispatch.DeviceRunning))},
	{"host in recovery", heldBack(false, hostState(dispatch.HostRecovery), hostState(dispatch.HostRunning))},
	{"host blocked by itself", heldBack(false,
		func(s *scene, t *machine.Thread) { s.sys.Hosts()[0].Block(t) },
		func(s *scene, t *machine.Thread) { s.sys.Hosts()[0].Unblock(t) })},
	{"every LUN has its turn", everyTurn},
	{"host deleted", deletedHost},
	{"offline device", gone(dispatch.DeviceOffline)},
	{"deleted device", gone(dispatch.DeviceDel)},
}

// plain leaves errors unhandled, so that any strategy can take part.
func plain(st stage) stage {
	set := map[string]string{"midlayer.error_handling": "false"}
	for k, v := range st.set {
		set[k] = v
	}
	st.set = set
	return st
}

// unplug is how long a plug holds a queue.
const unplug = 3 * time.Millisecond

// A refusal with nothing outstanding stalls the queue for the blocked counter's
// worth of unplug delays less the first, which the run that follows at once
// counts down (scsi-midlayer.md 1.8).
func stalls(code dispatch.Code, counter int) func(*scene) {
	return func(s *scene) {
		if !s.open(plain(stage{})) {
			return
		}
		s.drv.answer = func(n int, _ *dispatch.Command) dispatch.Code {
			if n == 0 {
				return code
			}
			return dispatch.Accepted
		}
		s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
			began := t.Now()
			s.failed(write(t, iss, s.sys.Devices()[0], 0))
			took, want := t.Now()-began, time.Duration(counter-1)*unplug
			s.want(took > want-time.Millisecond && took < want+time.Millisecond,
				"the queue waited for %v, and a blocked counter of %d is worth %v", took, counter, want)
		})
		l, _ := s.play()
		s.want(l.Requeued == 1, "put back %d times", l.Requeued)
	}
}

// A completion sets the counters of its host, target and device back, so that
// who was refused goes on before a plug would have him ask again. The last target
// is refused, the first has a command outstanding.
func ends(code dispatch.Code, targets int) func(*scene) {
	return func(s *scene) {
		if !s.open(plain(stage{targets: targets})) {
			return
		}
		s.drv.latency = 500 * time.Microsecond
		s.drv.answer = func(n int, _ *dispatch.Command) dispatch.Code {
			if n == 1 {
				return code
			}
			return dispatch.Accepted
		}
		s.thread("two", func(t *machine.Thread, iss *dispatch.Issuer) {
			devs := s.sys.Devices()
			began := t.Now()
			a, b := submit(t, iss, devs[0], 0), submit(t, iss, devs[len(devs)-1], 1)
			s.failed(iss.Wait(t, a))
			s.failed(iss.Wait(t, b))
			took := t.Now() - began
			s.want(took < unplug-time.Millisecond, "both took %v, each of them 500 µs", took)
		})
		s.play()
	}
}

// A refused command is tried before those that came later.
func refusedFirst(s *scene) {
	if !s.open(plain(stage{})) {
		return
	}
	var seen []int64
	s.drv.answer = func(n int, cmd *dispatch.Command) dispatch.Code {
		if n == 1 {
			return dispatch.DeviceBusy
		}
		seen = append(seen, cmd.Request.Sector/8)
		s.want(cmd.Serial > 0, "serial number 0, which says that a command was completed")
		return dispatch.Accepted
	}
	s.thread("eight", func(t *machine.Thread, iss *dispatch.Issuer) {
		var rqs []*dispatch.Request
		for i := range 8 {
			rqs = append(rqs, submit(t, iss, s.sys.Devices()[0], i))
		}
		for _, rq := range rqs {
			s.failed(iss.Wait(t, rq))
		}
	})
	s.play()
	s.want(slices.IsSorted(seen) && len(seen) == 8, "the driver had %v", seen)
}

// A device that was full gets no more at a time than its depth has become.
func depthLowered(s *scene) {
	if !s.open(plain(stage{set: map[string]string{
		"host.cmd_per_lun": "4", "midlayer.track_queue_depth": "true", "midlayer.ramp_up_period": "10s",
	}})) {
		return
	}
	full, most := 2, 0
	s.drv.result = func(time.Duration, *dispatch.Command) scsi.Result {
		most = max(most, s.drv.now)
		if full--; full >= 0 {
			return scsi.Result{Status: scsi.TaskSetFull}
		}
		return scsi.Result{}
	}
	s.thread("many", func(t *machine.Thread, iss *dispatch.Issuer) {
		d := s.sys.Devices()[0]
		for range 2 {
			most = 0
			var rqs []*dispatch.Request
			for i := range 12 {
				rqs = append(rqs, submit(t, iss, d, i))
			}
			for _, rq := range rqs {
				s.failed(iss.Wait(t, rq))
			}
		}
		s.want(d.Depth() == 2, "the depth is %d", d.Depth())
		s.want(most == d.Depth(), "%d at a time, and the depth is %d", most, d.Depth())
	})
	s.play()
}

type change func(s *scene, t *machine.Thread)

func deviceState(state dispatch.DeviceState) change {
	return func(s *scene, t *machine.Thread) { s.sys.Devices()[0].SetState(t, state) }
}

func hostState(state dispatch.HostState) change {
	return func(s *scene, t *machine.Thread) { s.failed(s.sys.Hosts()[0].SetState(t, state)) }
}

// Some states let commands wait, and another lets them go at once. One that may
// preempt goes where only quiet was asked for.
func heldBack(preempts bool, hold, release change) func(*scene) {
	return func(s *scene) {
		if !s.open(plain(stage{})) {
			return
		}
		s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
			hold(s, t)
			d := s.sys.Devices()[0]
			rq := submit(t, iss, d, 0)
			t.Sleep(20 * time.Millisecond)
			s.want(!iss.Done(rq) && s.drv.calls == 0, "the driver had %d commands meanwhile", s.drv.calls)
			if preempts {
				first := iss.Request(d, dispatch.Write, 64, 8, 1, nil)
				first.Preempt = true
				iss.Submit(t, first)
				s.failed(iss.Wait(t, first))
				s.want(!iss.Done(rq), "what may not preempt went along")
			}
			release(s, t)
			began := t.Now()
			s.failed(iss.Wait(t, rq))
			s.want(t.Now()-began < 4*time.Millisecond, "it took %v to go on", t.Now()-began)
		})
		s.play()
	}
}

// The driver of a deleted host gets nothing more.
func deletedHost(s *scene) {
	if !s.open(plain(stage{})) {
		return
	}
	s.thread("one", func(t *machine.Thread, iss *dispatch.Issuer) {
		h := s.sys.Hosts()[0]
		s.want(h.SetState(t, dispatch.HostDel) != nil, "a running host was deleted, which is not legal")
		s.failed(h.SetState(t, dispatch.HostCancel))
		s.failed(h.SetState(t, dispatch.HostDel))
		err := write(t, iss, s.sys.Devices()[0], 0)
		s.want(hostByte(err) == scsi.DidNoConnect, "it ended with %v", err)
	})
	s.play()
	s.want(s.drv.calls == 0, "the driver had %d commands", s.drv.calls)
}

// Commands of a device that is offline or deleted fail, and leave its
// neighbour's slots alone.
func gone(state dispatch.DeviceState) func(*scene) {
	return func(s *scene) {
		if !s.open(plain(stage{targets: 2, set: map[string]string{"host.can_queue": "1"}})) {
			return
		}
		const each = 5
		s.thread(fmt.Sprint("twice ", each), func(t *machine.Thread, iss *dispatch.Issuer) {
			bad, good := s.sys.Devices()[0], s.sys.Devices()[1]
			bad.SetState(t, state)
			for i := range each {
				err := write(t, iss, bad, i)
				s.want(hostByte(err) == scsi.DidNoConnect, "command %d ended with %v", i, err)
				s.failed(write(t, iss, good, i))
			}
		})
		s.play()
		s.want(s.drv.calls == each, "the driver had %d commands", s.drv.calls)
	}
}
