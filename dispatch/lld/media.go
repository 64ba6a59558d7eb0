package lld

import (
	"sync"
	"time"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/machine"
	"hostlock/machine/param"
)

// media is what a device needs for a command: a random time, and channels
// that serve one command at a time each, where there are any. It is hardware:
// its own state costs nobody anything, and its mutex is never waited for but on
// the live machine.
type media struct {
	latency cost.Cost
	devices []channels
}

type channels struct {
	mu   sync.Mutex
	free []time.Duration // when each channel has done what it was given
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
	m := media{latency: cost.New(machine.Dist{
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
func (m *media) takes(t *machine.Thread, d *dispatch.Device) time.Duration {
	need := m.latency.Draw(t.Rand())
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
	done := max(ch.free[first], now) + need
	ch.free[first] = done
	return done - now
}
