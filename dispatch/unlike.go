package dispatch

import (
	"fmt"

	"hostlock/machine/param"
)

// unlikeParams declares how targets are made up, and how some devices differ
// from the others.
func unlikeParams() []param.Spec {
	const alike = "a choice: all alike"
	return []param.Spec{
		{Name: "host.luns_per_target", Kind: param.Int, Default: "1", Min: 1, Max: 1 << 14, About: "LUNs that share a target, its limit and what is answered for it", Source: "a choice: every LUN is a target of its own, as the disks of a JBOD are"},
		{Name: "device.odd", Kind: param.Int, Default: "0", Max: 1 << 14, About: "devices at the end of each host that differ from the others by what follows", Source: alike},
		{Name: "device.odd_depth", Kind: param.Int, Default: "0", Max: 1 << 20, About: "queue depth of those; 0 is the others'", Source: alike},
		{Name: "device.odd_slower", Kind: param.Float, Default: "1", Min: 0.001, Max: 1000, About: "how many times as long those need for a command", Source: alike},
	}
}

// group makes targets of several LUNs, where host.luns_per_target asks for it and
// the caller has one LUN a target.
func (cfg *Config) group(p *param.Set) error {
	n := p.Int("host.luns_per_target")
	if n == 1 || cfg.LUNs != 1 {
		return nil
	}
	if cfg.Targets%n != 0 {
		return param.Errorf("host.luns_per_target", fmt.Sprintf("a divisor of the %d LUNs a host", cfg.Targets), "host.luns_per_target is %d", n)
	}
	cfg.Targets, cfg.LUNs = cfg.Targets/n, n
	return nil
}

// differ makes the last devices of a host differ.
func (h *Host) differ(p *param.Set) error {
	n := p.Int("device.odd")
	if n > len(h.Devices) {
		return param.Errorf("device.odd", fmt.Sprintf("0 to %d, the LUNs of a host", len(h.Devices)), "device.odd is %d", n)
	}
	for _, d := range h.Devices[len(h.Devices)-n:] {
		d.Slower = p.Float("device.odd_slower")
		if depth := p.Int("device.odd_depth"); depth > 0 {
			d.QueueDepth = depth
			d.commands.limit = depth
			d.depth.now.Store(int64(depth))
		}
	}
	return nil
}
