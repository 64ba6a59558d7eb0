package soak

import (
	"maps"

	"hostlock/dispatch"
	"hostlock/machine/param"
)

// faults are a driver's parameters by their short names. A command in ten
// thousand is never answered, and one answered late: by a timeout in the mean, so
// that completions and timers come together. At a million commands a second that
// is some hundred recoveries a second, and most of the time is still the path's.
var faults = map[string]string{
	"drop_rate": "0.0001", "delay_rate": "0.0001", "delay_shape": "exponential", "duplicate_rate": "0.01",
	"host_busy_rate": "0.0005", "device_busy_rate": "0.0005", "target_busy_rate": "0.0005", "eh_retry_rate": "0.0005",
	"retry_rate": "0.001", "queue_full_rate": "0.0005", "error_rate": "0.001",
	// Without sense data a command stops its host, as a lost one does. A device that
	// must be started is left out: where a fault hits what says so, the device goes
	// offline, and stays so.
	"sense_rate": "0.0001",
}

// recovery turns error handling on, with the kernel's times scaled. The plug's
// 3 ms become 0.2, since a busy return has its queue wait for three of them.
func recovery(driver string) map[string]string {
	set := map[string]string{
		"midlayer.error_handling": "true", "midlayer.unplug_delay": "200us",
		"midlayer.track_queue_depth": "true", "midlayer.ramp_up_period": "1ms",
		// A timeout of 600 ms, and 200 ms for the handler's own waits: what an array
		// with a full queue needs.
		"midlayer.eh_scale": "0.02",
	}
	if driver == fastest {
		set["midlayer.eh_scale"] = "0.000166667" // 5 ms and 1.7
	}
	return set
}

// delay is the timeout that recovery sets, as the mean delay of a late answer.
func delay(driver string) string {
	if driver == fastest {
		return "5ms"
	}
	return "600ms"
}

// tight are limits that the outstanding commands reach.
var tight = map[string]string{"host.can_queue": "4", "host.cmd_per_lun": "2", "host.target_can_queue": "3"}

// quiet leaves nothing but the path itself: the work that the model charges
// would take most of the time, on either machine, and find nothing.
func quiet(driver string) map[string]string {
	return map[string]string{
		"midlayer.section": "0", "midlayer.make_request": "0", "midlayer.softirq_done": "0", "midlayer.io_completion": "0",
		driver + ".queuecommand": "0",
	}
}

// params are the parameters of a soak.
func (c *Config) params() (*param.Set, error) {
	p, err := dispatch.NewParams(c.Driver)
	if err != nil {
		return nil, err
	}
	set := maps.Clone(tight)
	maps.Copy(set, quiet(c.Driver))
	if !c.NoFaults {
		for k, v := range faults {
			set[c.Driver+"."+k] = v
		}
		set[c.Driver+".delay"] = delay(c.Driver)
		if c.recovers && p.Has(c.Driver+".drop_rate") {
			maps.Copy(set, recovery(c.Driver))
		} else {
			// What is never answered would be lost.
			set[c.Driver+".drop_rate"] = "0"
		}
	}
	for k, v := range set {
		if !p.Has(k) {
			continue // a driver without that fault
		}
		if err := p.Set(k, v); err != nil {
			return nil, err
		}
	}
	for k, v := range c.Set {
		if err := p.Set(k, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}
