package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch"
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
