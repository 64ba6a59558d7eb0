package lld

import (
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// array is a disk array of the kind of the DDN S2A9550, whose LUNs are tiers
// of disks that turn in step: every command has all disks of its tier for
// itself [K], so that a LUN serves one at a time, each for a time that grows
// with its size. Reads are fetched in whole units, and what a fetch brought
// beyond the command is served from the array's memory. It is hardware.
type array struct {
	host                  *dispatch.Host
	writeBase, readBase   time.Duration
	writePerMB, readPerMB float64 // ns for a MiB
	unit                  int64   // sectors
	latency               time.Duration
	scatter               cost.Cost // 1 ms, to draw a factor from
	luns                  []tier
}

// tier is one LUN.
type tier struct {
	mu    sync.Mutex    //lab:free the array is hardware
	free  time.Duration // when it has done what it was given
	busy  time.Duration // what commands of the window needed
	n     int64
	units []int64 // fetched and not yet read to their end, oldest first
}

// keptUnits bounds what a tier's memory holds, in units.
const keptUnits = 512

const arrayFit = "no source gives it: an experiment fits it. From the published survey: time a command is a + b x size"

func arrayParams(driver string) []param.Spec {
	d := func(name, def, about string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Duration, Default: def, About: about, Source: arrayFit}
	}
	return []param.Spec{
		d("array_write", "12.6ms", "time of a tier for a write, whatever its size, with write-back caching off"),
		d("array_write_mb", "3.85ms", "and for each MiB of it"),
		d("array_read", "6.5ms", "time of a tier for a read that its memory does not serve"),
		d("array_read_mb", "2.75ms", "and for each MiB that it fetches"),
		{Name: driver + ".array_fetch", Kind: param.Bytes, Default: "1m", Max: 1 << 30, About: "unit that reads are fetched in; 0 fetches what is asked for", Source: "a choice after seeing the figures: 512 KB reads take half the time of 1 MB ones"},
		{Name: driver + ".array_latency", Kind: param.Duration, Default: "500us", About: "way to the array and back, beside the time of its tier", Source: "assumed: Fibre Channel and the controller's own work; it is hidden behind 32 threads"},
		{Name: driver + ".array_cv", Kind: param.Float, Default: "0.1", Max: 10, About: "standard deviation over mean of a tier's times (lognormal)", Source: "assumed: no source gives it"},
	}
}

func newArray(driver string, h *dispatch.Host, p *param.Set) array {
	ns := func(name string) float64 { return float64(p.Duration(driver + "." + name)) }
	return array{
		host:      h,
		writeBase: p.Duration(driver + ".array_write"), writePerMB: ns("array_write_mb"),
		readBase: p.Duration(driver + ".array_read"), readPerMB: ns("array_read_mb"),
		unit: p.Bytes(driver+".array_fetch") / dispatch.SectorSize, latency: p.Duration(driver + ".array_latency"),
		scatter: cost.New(machine.Dist{Mean: time.Millisecond, Shape: machine.Lognormal, CV: p.Float(driver + ".array_cv")}),
		luns:    make([]tier, len(h.Devices)),
	}
}

const mib = 1 << 20 / dispatch.SectorSize

// takes says how long from now a command will need.
func (a *array) takes(t *machine.Thread, cmd *dispatch.Command) time.Duration {
	if answer, full := cmd.TurnedAway(); full {
		return answer
	}
	factor := float64(a.scatter.Draw(t.Rand())) / float64(time.Millisecond)
	now := t.Now()
	lun := &a.luns[cmd.Device().Index]
	lun.mu.Lock()
	defer lun.mu.Unlock()
	need := time.Duration(float64(a.need(lun, cmd.Request)) * factor * cmd.Device().Slower)
	if a.host.InWindow() {
		lun.busy += need
		lun.n++
	}
	done := max(lun.free, now) + need
	lun.free = done
	return done - now + a.latency
}

// need is the tier's time for a request.
func (a *array) need(lun *tier, rq *dispatch.Request) time.Duration {
	n := int64(rq.Sectors)
	switch {
	case rq.Op == dispatch.Flush:
		return 0
	case rq.Op == dispatch.Write:
		return a.writeBase + time.Duration(a.writePerMB*float64(n)/mib)
	case a.unit > 0:
		n = a.unit * lun.fetch(rq.Sector, rq.Sector+n, a.unit)
	}
	if n == 0 {
		return 0
	}
	return a.readBase + time.Duration(a.readPerMB*float64(n)/mib)
}

// fetch is how many units must be fetched for sectors [from, to). A unit that
// is read to its end is not kept.
func (l *tier) fetch(from, to, unit int64) (missing int64) {
	for u := from / unit; u*unit < to; u++ {
		at := -1
		for i, k := range l.units {
			if k == u {
				at = i
				break
			}
		}
		whole := (u+1)*unit <= to
		switch {
		case at < 0:
			missing++
			if !whole {
				if len(l.units) == keptUnits {
					l.units = append(l.units[:0], l.units[1:]...)
				}
				l.units = append(l.units, u)
			}
		case whole:
			l.units = append(l.units[:at], l.units[at+1:]...)
		}
	}
	return missing
}

// service is what the tiers did, each with one command at a time.
func (a *array) service() tally.Service {
	s := tally.Service{Channels: 1}
	for i := range a.luns {
		s.Busy += a.luns[i].busy
		s.Commands += a.luns[i].n
	}
	return s
}
