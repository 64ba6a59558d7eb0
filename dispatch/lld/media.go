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

// media is what a device needs for a command: a random time, and channels
// that serve one command at a time each, where there are any. It is hardware:
// its own state costs nobody anything, and its mutex is never waited for but on
// the live machine.
type media struct {
	host    *dispatch.Host
	latency cost.Cost
	mean    time.Duration
	devices []channels
}

// channels are hardware: they have no lock.
//
//lab:free the way to them is paid in the adapter's own time
type channels struct {
	mu   sync.Mutex
	free []time.Duration // when each channel has done what it was given
	busy time.Duration   // what commands of the window needed
	n    int64
	_    [64]byte
}

func mediaParams(driver, latency, source string) []param.Spec {
	return []param.Spec{
		{Name: driver + ".device_latency", Kind: param.Duration, Default: latency, About: "mean time that a device needs for a command", Source: source},
		{Name: driver + ".device_cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of that time (lognormal)", Source: "assumed: no source gives it"},
		{Name: driver + ".device_channels", Kind: param.Int, Default: "0", Max: 1024, About: "commands that a device works on at a time; 0: all it gets", Source: "a choice: pure latency, unless an experiment says otherwise"},
	}
}

func newMedia(driver string, h *dispatch.Host, p *param.Set) media {
	m := media{host: h, mean: p.Duration(driver + ".device_latency"), latency: cost.New(machine.Dist{
		Mean: p.Duration(driver + ".device_latency"), Shape: machine.Lognormal, CV: p.Float(driver + ".device_cv"),
	})}
	if n := p.Int(driver + ".device_channels"); n > 0 {
		m.devices = make([]channels, len(h.Devices))
		for i := range m.devices {
			m.devices[i].free = make([]time.Duration, n)
		}
	}
	return m
}

// takes says how long from now a command will need.
func (m *media) takes(t *machine.Thread, cmd *dispatch.Command) time.Duration {
	if answer, full := cmd.TurnedAway(); full {
		return answer
	}
	d := cmd.Device()
	need := m.latency.Draw(t.Rand())
	if d.Slower != 1 {
		need = time.Duration(d.Slower * float64(need))
	}
	if m.devices == nil {
		return need
	}
	ch := &m.devices[d.Index]
	now := t.Now()
	ch.mu.Lock()
	defer ch.mu.Unlock()
	first := 0
	for i, at := range ch.free {
		if at < ch.free[first] {
			first = i
		}
	}
	if m.host.InWindow() {
		ch.busy += need
		ch.n++
	}
	done := max(ch.free[first], now) + need
	ch.free[first] = done
	return done - now
}

// service is what the devices did. One that works on all it gets counts nothing:
// what a command needs of it is the parameter's word.
func (m *media) service() tally.Service {
	s := tally.Service{Mean: m.mean}
	for i := range m.devices {
		ch := &m.devices[i]
		s.Channels = len(ch.free)
		s.Busy += ch.busy
		s.Commands += ch.n
	}
	return s
}
