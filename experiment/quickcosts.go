package experiment

import (
	"context"
	"runtime"
	"time"

	"hostlock/machine/calibrate"
)

// QuickCosts measures this computer's costs for a derivation, in about half a
// second: a derived load does not hang on them, since an I/O takes long beside
// them, and 'lab calibrate' measures better. What other processes disturb keeps
// its default, or a line that seems to travel for microseconds would be taken
// for one. It is nil where all that fails or ctx ends.
func QuickCosts(ctx context.Context) []Parameter {
	r, err := calibrate.Measure(ctx, calibrate.Config{Repetitions: 5, Each: 2 * time.Millisecond, MaxPairs: 6})
	if err != nil {
		return nil
	}
	return costsOf(r, true)
}

// DeriveHere is [Derive] for this computer, with its costs. Whether there is
// anything to derive is asked before they are measured.
func DeriveHere(ctx context.Context, spec *Spec) (*Derivation, error) {
	cores := runtime.GOMAXPROCS(0)
	if err := derivableOn(spec, cores); err != nil {
		return nil, err
	}
	return Derive(ctx, spec, cores, QuickCosts(ctx))
}
