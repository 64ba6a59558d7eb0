package sim

import (
	"math/bits"
	"time"

	"hostlock/machine"
	"hostlock/machine/param"
)

// Factors are what a cost table says of a machine as a whole. Their zero values
// change nothing.
type Factors struct {
	// ClockAll is how much longer work lasts where all cores are busy than where
	// one is; in between it grows with their number. 0 is 1.
	ClockAll float64
	// FarAtomics has a read-modify-write of a Word that another core used last
	// done where the line is, so that the line stays there.
	FarAtomics bool
}

// factorParams declares the factors, and what of a cost table is the machine's
// shape.
func factorParams() []param.Spec {
	return []param.Spec{
		{Name: "cost.clock_all", Kind: param.Float, Default: "1", Min: 1, Max: 8,
			About: "how much longer work lasts with all cores busy than with one, by their clock; in between it grows with their number", Source: "1: no source gives the clocks of the machines that are modelled"},
		{Name: "cost.far_atomics", Kind: param.Bool, Default: "false",
			About: "an atomic on a line that another core used last is done where the line is, which stays there; of lock words it is not said", Source: "false: on x86 the core fetches the line first"},
		{Name: SocketThreads, Kind: param.Int, Default: "0", Max: 4096,
			About: "hardware threads a socket; 0 leaves the sockets to the experiment", Source: "0: the published cases say how many sockets they have, or it is a choice of their experiment"},
	}
}

// SocketThreads is the parameter of how many hardware threads a socket has.
const SocketThreads = "cost.socket_threads"

func factorsFrom(s *param.Set) Factors {
	return Factors{ClockAll: s.Float("cost.clock_all"), FarAtomics: s.Bool("cost.far_atomics")}
}

// clocked is how long work lasts that begins now. As many cores as are busy when it
// begins count: what others do later changes no work that is under way.
func (s *Sim) clocked(d time.Duration) time.Duration {
	n := len(s.cores)
	if s.cost.ClockAll <= 1 || n == 1 {
		return d
	}
	busy := n
	for _, w := range s.idleCores {
		busy -= bits.OnesCount64(w)
	}
	return time.Duration(float64(d) * (1 + (s.cost.ClockAll-1)*float64(max(busy-1, 0))/float64(n-1)))
}

// isFar reports whether an operation goes to the line, in place of the line coming
// to the core. A core that comes back before any other gets the line, as caches
// that count uses do.
func (s *Sim) isFar(ln *line, c *core, op machine.Op) bool {
	return s.cost.FarAtomics && (op == machine.OpRMW || op == machine.OpCAS) &&
		ln.owner != c.phys && ln.last >= 0 && ln.last != int32(c.id)
}

// goHome leaves a line with no core, after an atomic that was done there.
func (ln *line) goHome(c *core) {
	ln.readers.none()
	ln.owner, ln.last, ln.sockets = -1, int32(c.id), 0
}

// none empties the set.
func (s *cores) none() {
	s.low = 0
	clear(s.high)
}
