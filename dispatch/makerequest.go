package dispatch

import "hostlock/machine"

// Submit hands a request to its device (submit_bio, __make_request). It may
// dispatch this request and others before it returns. A request that no
// command can carry is finished at once, with ErrTooLarge or ErrBeyondEnd.
func (iss *Issuer) Submit(t *machine.Thread, rq *Request) {
	if !rq.life.CompareAndSwap(idle, issued) {
		panic("dispatch: a request is submitted that is not its issuer's")
	}
	rq.submitted = t.Now()
	iss.total.issued.Add(1)
	if iss.sys.window.Load() == windowOpen {
		iss.inside.issued.Add(1)
	}
	d := rq.Device
	var err error
	switch {
	case rq.Sectors > d.MaxSectors() || rq.Segments > d.MaxSegments() && !iss.sys.sg.livelock:
		err = ErrTooLarge
	case rq.Sector < 0 || rq.Sector+int64(rq.Sectors) > d.Capacity:
		err = ErrBeyondEnd
	}
	if err != nil {
		rq.finish(t, err)
		rq.release()
		return
	}
	d.MakeRequest(t, rq)
}

// MakeRequest puts a request into the device's queue and runs it. Devices like
// these, whose requests gain nothing by waiting for neighbours, are not plugged
// by a first request (queue_should_plug) [S35].
//
//go:noinline
func (d *Device) MakeRequest(t *machine.Thread, rq *Request) {
	t.Enter(secMakeRequest)
	h := d.Host
	h.costs.makeRequest.Spend(t)
	cmd := &rq.Cmd
	cmd.core = t.Core()
	cmd.charged = 0
	cmd.Uses++
	cmd.Prepared = false
	cmd.quit(t)
	h.strategy.Insert(t, rq)
	// From here on the request is the queue's: another core may have it, and
	// have completed it.
	d.RequestFn(t)
	t.Leave()
}
