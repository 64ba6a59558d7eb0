package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
	"hostlock/machine/param"
)

// Config says what to soak, and for how long.
type Config struct {
	// Strategy is a registered name.
	Strategy string
	// Driver is a registered name; null where it is empty, which answers at
	// once. Faults are set where the driver has them.
	Driver string
	// Machine is live or sim; live where it is empty.
	Machine string
	// Commands is how many to issue; DefaultCommands where it is 0.
	Commands int64
	// Threads keep Depth commands under way each. 0 is 8 threads, or 4 in virtual
	// time, where each costs, and a depth of 4.
	Threads, Depth int
	// Cores is how many the simulated machine has, 2 where it is 0; the live one
	// has this computer's.
	Cores int
	// Seed is what the threads' random streams derive from, and with them the
	// faults.
	Seed uint64
	// Set has parameters by name, as --set takes them, which beat what Faults
	// and the soak itself set.
	Set map[string]string
	// NoFaults leaves all faults out, and error handling with them.
	NoFaults bool
	// Progress is called with every reading, one at a time.
	Progress func(Reading)
	// Patience is how long, in the machine's own time, no command may come back
	// before the soak is given up; a minute where it is 0.
	Patience time.Duration

	recovers bool // the strategy does
}

// fastest is the driver that takes the least time a command.
const fastest = "null"

// DefaultCommands is how many are run where nothing else is said.
const DefaultCommands = 10_000_000

// Machines are the names that Config.Machine may have.
func Machines() []string { return []string{"live", "sim"} }

// Sizes that a Config may have.
const (
	MinCommands = parts
	MaxCommands = 1 << 40
	MaxThreads  = 1024
	MaxDepth    = 1024
	MaxCores    = 4096
)

// The system: two targets of two LUNs each.
const (
	targets = 2
	luns    = 2
)

// complete fills in defaults; its error says what is legal.
func (c Config) complete() (Config, error) {
	if c.Driver == "" {
		c.Driver = fastest
	}
	if c.Machine == "" {
		c.Machine = "live"
	}
	if !slices.Contains(Machines(), c.Machine) {
		return c, fmt.Errorf("unknown machine %q; legal: %s", c.Machine, strings.Join(Machines(), ", "))
	}
	if c.Machine == "live" && c.Cores != 0 {
		return c, fmt.Errorf("live runs on this computer's cores; only sim can have another number")
	}
	if c.Commands == 0 {
		c.Commands = DefaultCommands
	}
	if c.Patience == 0 {
		c.Patience = time.Minute
	}
	def := func(n *int, d int) {
		if *n == 0 {
			*n = d
		}
	}
	if c.Machine == "sim" {
		def(&c.Threads, 4)
		def(&c.Cores, 2)
	}
	def(&c.Threads, 8)
	def(&c.Depth, 4)
	for _, v := range []struct {
		what        string
		n, min, max int64
	}{
		{"commands", c.Commands, MinCommands, MaxCommands}, {"threads", int64(c.Threads), 1, MaxThreads},
		{"commands a thread", int64(c.Depth), 1, MaxDepth}, {"cores", int64(c.Cores), 0, MaxCores},
	} {
		if v.n < v.min || v.n > v.max {
			return c, fmt.Errorf("%d %s; legal: %d to %d", v.n, v.what, v.min, v.max)
		}
	}
	if s, err := dispatch.LookupStrategy(c.Strategy); err != nil {
		return c, err
	} else {
		c.Strategy, c.recovers = s.Name, s.Recovers
	}
	if d, err := dispatch.LookupDriver(c.Driver); err != nil {
		return c, err
	} else {
		c.Driver = d.Name
	}
	return c, nil
}

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
