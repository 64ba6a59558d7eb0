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

// Commands end with CHECK CONDITION and no sense data. The handler asks for it:
// one was a unit attention, and is tried again; one a medium error, and fails as
// such; one a recovered error, and succeeds.
func senseFetched(s *scene) {
	if !s.open(stage{luns: 3}) {
		return
	}
	keys := []scsi.SenseKey{scsi.UnitAttention, scsi.MediumError, scsi.RecoveredError}
	said := [3]bool{}
	s.drv.abort = true
	s.drv.result = func(_ time.Duration, cmd *dispatch.Command) scsi.Result {
		if i := cmd.Device().Index; !cmd.Request.Op.OfHandler() && !said[i] {
			said[i] = true
			return scsi.Result{Status: scsi.CheckCondition, Sense: keys[i], NoSenseData: true}
		}
		return scsi.Result{}
	}
	s.thread("three", func(t *machine.Thread, iss *dispatch.Issuer) {
		var rqs []*dispatch.Request
		for i := range keys {
			rqs = append(rqs, submit(t, iss, s.sys.Devices()[i], 0))
		}
		for i, rq := range rqs {
			want := scsi.Result{Status: scsi.CheckCondition, Sense: keys[i]}.Err()
			if keys[i] == scsi.UnitAttention {
				want = nil
			}
			err := iss.Wait(t, rq)
			s.want(fmt.Sprint(err) == fmt.Sprint(want), "sense key %#x: %v", keys[i], err)
		}
	})
	l, c := s.play()
	s.want(l.Requeued == 1 && l.Failed == 1, "%+v", l)
	s.want(c.Senses == 3 && c.TimedOut == 0 && c.Stages[eh.CommandAbort] == 0, "%+v", c)
	for _, op := range s.drv.ops {
		s.want(op == dispatch.RequestSense, "the handler sent %v", op)
	}
}

// A device says that it must be started, which comes after the abort of what
// has timed out and before any reset; its commands are tried again. Where it may
// not be started they fail.
func unitStarted(s *scene) {
	for _, allowed := range []bool{true, false} {
		if !s.open(stage{luns: 2, set: map[string]string{"midlayer.allow_restart": fmt.Sprint(allowed)}}) {
			return
		}
		stopped := true
		s.drv.abort, s.drv.lose = true, firsts(1)
		s.drv.result = func(_ time.Duration, cmd *dispatch.Command) scsi.Result {
			switch {
			case cmd.Request.Op == dispatch.StartUnit:
				stopped = false
			case stopped && cmd.Device().LUN == 0:
				return scsi.Result{Status: scsi.CheckCondition, Sense: scsi.NotReady}
			}
			return scsi.Result{}
		}
		s.began, s.ended = 0, 0
		s.thread("two", func(t *machine.Thread, iss *dispatch.Issuer) {
			other := submit(t, iss, s.sys.Devices()[1], 0) // lost
			err := write(t, iss, s.sys.Devices()[0], 0)
			s.want((err == nil) == allowed, "allow_restart=%v: %v", allowed, err)
			s.failed(iss.Wait(t, other))
		})
		_, c := s.play()
		want := []dispatch.Op{dispatch.TestUnitReady, dispatch.StartUnit, dispatch.TestUnitReady}
		if !allowed {
			want = want[:1]
		}
		s.want(slices.Equal(s.drv.ops, want), "allow_restart=%v: the handler sent %v", allowed, s.drv.ops)
		s.want(len(s.drv.resets) == 0 && c.Stages[eh.CommandAbort] == 1, "%+v", c)
	}
}

// The driver gives a command its time once more, and it comes back before that
// is over: nobody else hears of it. A second one does not come back, and the
// third time the handler gets it.
func timerAgain(s *scene) {
	if !s.open(stage{luns: 2}) {
		return
	}
	asked := map[int]int{}
	s.drv.abort, s.drv.latency = true, 40*time.Millisecond
	s.drv.lose = func(cmd *dispatch.Command) bool { return cmd.Device().LUN == 1 && asked[1] == 0 }
	s.drv.timedOut = func(_ *machine.Thread, cmd *dispatch.Command) eh.Answer {
		lun := cmd.Device().LUN
		if asked[lun]++; asked[lun] <= 2 {
			return eh.ResetTimer
		}
		return eh.NotHandled
	}
	s.thread("slow", func(t *machine.Thread, iss *dispatch.Issuer) {
		rq := submit(t, iss, s.sys.Devices()[0], 0)
		s.drv.latency = 100 * time.Microsecond
		s.failed(iss.Wait(t, rq))
		s.want(t.Now() > 40*time.Millisecond && t.Now() < 41*time.Millisecond, "the slow one took %v", t.Now())
	})
	s.thread("lost", func(t *machine.Thread, iss *dispatch.Issuer) {
		s.failed(write(t, iss, s.sys.Devices()[1], 0))
		s.want(t.Now() > 90*time.Millisecond, "the lost one took %v", t.Now())
	})
	_, c := s.play()
	s.want(asked[0] == 1 && asked[1] >= 3, "the driver was asked %v times", asked)
	s.want(c.TimedOut == 1 && c.Recoveries == 1, "%+v", c)
}

// On its first timeout the driver lowers can_queue below what is outstanding.
// Nothing is called back, and nothing new starts until fewer are outstanding;
// then the host is full with the lower number, until the driver raises it again.
func canQueueMoves(s *scene) {
	const wide, narrow = 16, 3
	if !s.open(stage{targets: 2, luns: 2, set: map[string]string{"host.can_queue": fmt.Sprint(wide), "host.cmd_per_lun": "8"}}) {
		return
	}
	h := s.sys.Hosts()[0]
	var lowered, raised time.Duration
	most := map[string]int{}
	now := func(t *machine.Thread) string {
		switch at := t.Now(); {
		case lowered == 0:
			return "before"
		case raised == 0 && at > lowered+5*time.Millisecond:
			return "lowered" // and drained
		case raised > 0 && at > raised+time.Millisecond:
			return "raised"
		}
		return "between"
	}
	s.drv.abort, s.drv.latency = true, 500*time.Microsecond
	first := true
	s.drv.lose = func(cmd *dispatch.Command) bool {
		f := first
		first = false
		return f
	}
	s.drv.timedOut = func(t *machine.Thread, cmd *dispatch.Command) eh.Answer {
		if lowered == 0 {
			lowered = t.Now()
			h.SetCanQueue(narrow)
			return eh.ResetTimer
		}
		return eh.NotHandled
	}
	s.drv.done = func(t *machine.Thread, _ *dispatch.Command) {
		k := now(t)
		most[k] = max(most[k], s.drv.now+1)
		if lowered > 0 && raised == 0 && t.Now() > lowered+20*time.Millisecond {
			raised = t.Now()
			h.SetCanQueue(wide)
		}
	}
	for i := range 24 {
		s.thread(fmt.Sprint("writer-", i), func(t *machine.Thread, iss *dispatch.Issuer) {
			for n := 0; t.Now() < 55*time.Millisecond; n++ {
				s.failed(write(t, iss, s.sys.Devices()[i%4], n))
			}
		})
	}
	s.play()
	s.want(most["before"] == wide, "at most %d of %d at a time before", most["before"], wide)
	s.want(most["lowered"] == narrow, "at most %d of %d at a time while can_queue was lowered", most["lowered"], narrow)
	s.want(most["raised"] == wide, "at most %d of %d at a time after", most["raised"], wide)
	s.want(h.CanQueue() == wide, "can_queue ends at %d", h.CanQueue())
}
