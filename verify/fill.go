package verify

import (
	"fmt"
	"time"

	"hostlock/dispatch"
	"hostlock/machine"
)

// How long the driver may take to get what fills a limit: more than a plug's 3 ms
// many times over, which wait out the blocked counters, and than a busy computer
// keeps a thread from its core.
const (
	fillLook  = 200 * time.Microsecond
	fillLooks = 50_000
)

// fill has every device, target and host filled up to its limit, one after another:
// whatever a strategy has counted in and not out again is missing there. The driver
// holds the commands until all have come. It is called by the last thread, once
// nothing is under way. Other drivers cannot hold commands.
func (r *rig) fill(t *machine.Thread, iss *dispatch.Issuer) {
	for _, h := range r.sys.Hosts() {
		for _, dev := range h.Devices {
			r.fillOf(t, iss, h, []*dispatch.Device{dev}, "device "+dev.Name())
		}
		for _, tg := range h.Targets {
			r.fillOf(t, iss, h, tg.Devices, fmt.Sprintf("target %d:%d", h.ID, tg.Index))
		}
		r.fillOf(t, iss, h, h.Devices, fmt.Sprintf("host %d", h.ID))
	}
}

// fillOf fills one of them, and says so where that cannot be done.
func (r *rig) fillOf(t *machine.Thread, iss *dispatch.Issuer, h *dispatch.Host, devs []*dispatch.Device, what string) {
	d, ok := h.Driver().(*driver)
	if !ok || r.see.trouble() != nil {
		return
	}
	d.hold(true)
	var rqs []*dispatch.Request
	for _, dev := range room(h, devs) {
		// Beside all sectors that threads use.
		rq := iss.Request(dev, dispatch.Read, int64(fillFrom+len(rqs))*sectors, sectors, 1, nil)
		rqs = append(rqs, rq)
		iss.Submit(t, rq)
	}
	n := 0
	for range fillLooks {
		if n = d.holds(); n == len(rqs) {
			break
		}
		t.Sleep(fillLook)
	}
	if n < len(rqs) {
		r.see.report("%s had %d commands with the driver at once where all that came before had ended, and its limits allow %d: what was counted in was not counted out", what, n, len(rqs))
	}
	d.hold(false)
	d.letGo(t)
	for _, rq := range rqs {
		sector := rq.Sector
		r.see.finished(t, sector, iss.Wait(t, rq), r.scenario.fails)
	}
}

// fillFrom is the first of the commands that fill limits: above those of all
// threads, and of a long run.
const fillFrom = 1 << 18

// room is for which devices, in turn, the limits of host, targets and devices admit a
// command at once.
func room(h *dispatch.Host, devs []*dispatch.Device) []*dispatch.Device {
	host, most := 0, h.CanQueue()
	targets, devices := map[*dispatch.Target]int{}, map[*dispatch.Device]int{}
	var out []*dispatch.Device
	for more := true; more; {
		more = false
		for _, dev := range devs {
			tg := dev.Target
			if most > 0 && host == most || tg.CanQueue > 0 && targets[tg] == tg.CanQueue || devices[dev] == dev.Depth() {
				continue
			}
			more = true
			host++
			targets[tg]++
			devices[dev]++
			out = append(out, dev)
		}
	}
	return out
}

// hold has the driver keep the commands that it gets, and refuse and fail none.
func (d *driver) hold(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holding = on
}

// kept keeps a command, where the driver holds them.
func (d *driver) kept(cmd *dispatch.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.holding {
		d.held = append(d.held, cmd)
	}
	return d.holding
}

// holds is how many commands it keeps.
func (d *driver) holds() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held)
}

// letGo has the device complete what the driver keeps.
func (d *driver) letGo(t *machine.Thread) {
	d.mu.Lock()
	held := d.held
	d.held = nil
	d.mu.Unlock()
	for _, cmd := range held {
		cmd.HostData = byDevice
		cmd.Arm(t, d.latency.Draw(t.Rand()))
	}
}
