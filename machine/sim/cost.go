package sim

import (
	"time"

	"hostlock/machine/param"
)

// Costs is what operations cost on a simulated machine. No entry belongs to a
// strategy: a strategy costs what its operations cost.
type Costs struct {
	Load, Store, RMW time.Duration // on a line that the core already has

	SameSocket  time.Duration // latency of a line from a core of the same socket
	CrossSocket time.Duration // and of another one

	// What one access keeps a line busy, serially, by where the line comes from.
	OccupancySibling time.Duration // the same core: its sibling's, or its own again, in one visit of the line
	Occupancy        time.Duration // another core of the socket
	OccupancyCross   time.Duration // another socket
	OccupancyShared  time.Duration // a read of a line that the socket has to read already

	Siblings    int     // hardware threads a core, next to each other in number; 0 is one
	SiblingWork float64 // how much longer work lasts beside a busy sibling; 0 is 1

	Factors

	Switch   time.Duration // from one thread to another on a core
	IRQEntry time.Duration // into a handler
	IRQExit  time.Duration // and out of it
	IPI      time.Duration // from raising an interrupt on another core to its arrival
	Pause    time.Duration // one turn of a retry loop
	Slice    time.Duration // how long a thread keeps a core that others wait for
	Quantum  time.Duration // how far a thread's clock may run ahead of the machine's
}

// Params declares the cost table.
func Params() []param.Spec {
	d := func(name, def string, max time.Duration, about, source string) param.Spec {
		return param.Spec{Name: "cost." + name, Default: def, Max: float64(max), About: about, Source: source}
	}
	return append([]param.Spec{
		d("load", "1ns", time.Microsecond, "read of a line the core has", "measured: atomic load 0.7 to 1.2 ns on a 2-core VM, Go 1.26"),
		d("store", "1ns", time.Microsecond, "write of a line the core has", "as load: both are one L1 access"),
		d("rmw", "8ns", time.Microsecond, "locked read-modify-write on a line the core has", "measured: uncontended atomic add 7.9 ns on a 2-core VM, Go 1.26"),
		d("same_socket", "48ns", 10*time.Microsecond, "cache line from a core of the same socket", "core-to-core-latency medians: Broadwell 44, Cascade Lake 47, Gold 6242 48, Ice Lake 51 ns"),
		d("cross_socket", "118ns", 10*time.Microsecond, "cache line from another socket", "core-to-core-latency median, Broadwell E5-2695v4 118 ns, the oldest of the cited"),
		d("occupancy_sibling", "8ns", 10*time.Microsecond, "what one more access keeps a line busy on the core that has it: a sibling's, or its own again", "as rmw: the line stays where it is"),
		d("occupancy", "48ns", 10*time.Microsecond, "what an access keeps a line busy that brings it from a core of the same socket", "as same_socket: on x86 the next transfer begins when the last is over; host x86-3 of lockhammer shows about 39 of 44 ns"),
		d("occupancy_cross", "118ns", 10*time.Microsecond, "the same from another socket", "as cross_socket"),
		d("occupancy_shared", "50ns", 10*time.Microsecond, "what a read keeps a line busy that another core of the socket has to read: one waiter's read after a release", "Boyd-Wickizer et al. 2012: the home directory's time for one waiter's read, 50 ns suggested for one socket of 2010"),
		{Name: "cost.siblings", Kind: param.Int, Default: "1", Min: 1, Max: 8, About: "hardware threads a core; those of a core have numbers next to each other", Source: "1: the machines of 2010 are counted in cores; a table of a newer one says 2"},
		{Name: "cost.sibling_work", Kind: param.Float, Default: "1", Min: 1, Max: 8, About: "how much longer work lasts beside a busy sibling", Source: "1: no siblings"},
		d("switch", "1us", time.Millisecond, "from one thread to another", "order of magnitude of a Linux context switch with its cache effects; no source gives it for this machine"),
		d("irq_entry", "500ns", time.Millisecond, "into an interrupt handler", "order of magnitude of an x86 interrupt entry with register save and EOI; no source gives it"),
		d("irq_exit", "300ns", time.Millisecond, "out of an interrupt handler", "as irq_entry, less the EOI"),
		d("ipi", "1us", time.Millisecond, "inter-processor interrupt, from raise to arrival", "order of magnitude of an APIC delivery across sockets; no source gives it"),
		d("pause", "20ns", time.Microsecond, "one turn of a retry loop", "x86 pause of 2010, about 10 cycles, and a re-read"),
		d("slice", "4ms", time.Second, "how long a thread keeps a core that others wait for", "CFS minimum granularity of the time, scaled for many CPUs: milliseconds"),
		d("quantum", "500ns", time.Millisecond, "how far a thread's clock may run ahead of the machine's; 0 is exact", "a few cache-line transfers, and well below any section of the path; the difference from 0 is tested"),
	}, factorParams()...)
}

// CostsFrom reads a declared cost table.
func CostsFrom(s *param.Set) Costs {
	g := func(n string) time.Duration { return s.Duration("cost." + n) }
	return Costs{
		Load: g("load"), Store: g("store"), RMW: g("rmw"),
		SameSocket: g("same_socket"), CrossSocket: g("cross_socket"),
		OccupancySibling: g("occupancy_sibling"), Occupancy: g("occupancy"), OccupancyCross: g("occupancy_cross"), OccupancyShared: g("occupancy_shared"),
		Siblings: s.Int("cost.siblings"), SiblingWork: s.Float("cost.sibling_work"),
		Switch: g("switch"), IRQEntry: g("irq_entry"), IRQExit: g("irq_exit"), IPI: g("ipi"),
		Factors: factorsFrom(s),
		Pause:   g("pause"), Slice: g("slice"), Quantum: g("quantum"),
	}
}

// DefaultCosts is the table with its declared defaults.
func DefaultCosts() Costs {
	s := param.New()
	s.Declare(Params()...)
	return CostsFrom(s)
}
