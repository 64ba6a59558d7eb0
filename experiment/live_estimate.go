package experiment

import "time"

// What a live run takes beside its window: measuring costs and simulating for
// the derivation, and letting the last I/Os finish.
const (
	deriveTime = 3 * time.Second
	drainTime  = time.Second
	// liveWarmup is the least warm-up: some 30 rounds of a thread, in which
	// goroutines' stacks and histograms grow to their size.
	liveWarmup = 500 * time.Millisecond
)

// LiveEstimate is about how long a run on this computer will keep it busy.
func LiveEstimate(spec *Spec, opts Options) time.Duration {
	p, err := plan(spec, opts)
	if err != nil {
		return 0
	}
	d := p.warmup + p.duration + drainTime
	if opts.Derivation == nil && p.params.Bool("live.derive") && Derivable(spec) {
		d += deriveTime
	}
	if opts.ProfilesDir != "" {
		d += p.warmup + min(wallFor, p.duration) + drainTime
	}
	return d
}
