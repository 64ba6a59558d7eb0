package experiment

import (
	"math"
	"strconv"
	"strings"

	"hostlock/dispatch"
	"hostlock/machine/param"
)

// Scale says how the load grows under `--set scale=N` and `--weak`.
type Scale struct {
	// Parameters name limits of one HBA, such as host.can_queue, that grow
	// and shrink with the load it carries; where whole HBAs are added, each has
	// the file's own.
	Parameters []string
}

// LoadSize is the size of an experiment's load.
type LoadSize struct {
	Factor     float64 // over the experiment's own
	Threads    int
	HBAs       int
	LUNsPerHBA int
	// PerHBA is what the limits of one HBA are multiplied by: Factor spread
	// over the HBAs that there are now.
	PerHBA float64
}

// maxScale keeps a mistyped scale from asking for more memory than there is.
const maxScale = 4096

// ScaledLoad is the experiment's load, factor times as large: threads, LUNs
// and limits in proportion, HBAs by whole ones. Fractions shrink the load, and
// nothing shrinks below one.
func (s *Spec) ScaledLoad(factor float64) (LoadSize, error) { return s.SizedLoad(factor, 0) }

// SizedLoad is ScaledLoad on a number of HBAs that does not follow from the
// factor: one HBA for a load of any size shows what its one lock can bear. 0
// is ScaledLoad's own number.
func (s *Spec) SizedLoad(factor float64, hbas int) (LoadSize, error) {
	if !(factor > 0) || factor > maxScale {
		return LoadSize{}, Usagef("scale=%g: out of range; legal: more than 0, up to %d", factor, maxScale)
	}
	times := func(n int, f float64) int { return max(1, int(math.Round(float64(n)*f))) }
	l := LoadSize{Factor: factor, Threads: s.Threads}
	if s.Threads > 0 {
		l.Threads = times(s.Threads, factor)
	}
	// Begun HBAs count; the hair below one keeps 3 x 1/3 at one.
	l.HBAs = max(1, int(math.Ceil(float64(s.HBAs)*factor-1e-9)))
	if hbas > 0 {
		l.HBAs = hbas
	}
	share := factor * float64(s.HBAs) / float64(l.HBAs)
	l.LUNsPerHBA = times(s.LUNsPerHBA, share)
	l.PerHBA = share
	return l, nil
}

// WeakFactor is the scale at which the load per core is the experiment's own.
func (s *Spec) WeakFactor(cores int) float64 { return float64(cores) / float64(s.Cores) }

// LoadOf is the load that a run on so many cores has under the options.
func (s *Spec) LoadOf(opts Options, cores int) (LoadSize, error) {
	_, factor, err := Assignments(opts.Set)
	if err != nil {
		return LoadSize{}, err
	}
	switch {
	case opts.Weak && factor != 0:
		return LoadSize{}, Usagef("--weak and --set scale= both set the scale; legal: one of them")
	case opts.Weak:
		factor = s.WeakFactor(cores)
	case factor == 0:
		factor = 1
	}
	hbas, err := hbasOf(opts.Set)
	if err != nil {
		return LoadSize{}, err
	}
	l, err := s.SizedLoad(factor, hbas)
	if opts.Workload != "" {
		l.Threads = 0 // another workload has a number of its own
	}
	if err != nil || opts.Threads == 0 {
		return l, err
	}
	if opts.Threads < 1 || opts.Threads > MaxThreads {
		return LoadSize{}, Usagef("--threads %d: legal: 1 to %d", opts.Threads, MaxThreads)
	}
	l.Threads = opts.Threads
	return l, nil
}

// isLoad reports whether an assignment's name sets the load, and no parameter.
func isLoad(name string) bool { return name == "scale" || name == "hbas" }

// hbasOf is what the last hbas=N of the assignments says, 0 where there is none.
func hbasOf(set []string) (hbas int, err error) {
	for _, kv := range set {
		name, value, _ := strings.Cut(kv, "=")
		if strings.TrimSpace(name) != "hbas" {
			continue
		}
		hbas, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || hbas < 1 || hbas > maxHBAs {
			return 0, Usagef("--set hbas=%s; legal: a whole number, 1 to %d", value, maxHBAs)
		}
	}
	return hbas, nil
}

// ownLimit is a limit as one HBA has it at the experiment's own load: less
// than zero leaves it to the driver's template, and is no number to scale.
func ownLimit(t dispatch.HostTemplate, v param.Value) float64 {
	if v.Num >= 0 {
		return v.Num
	}
	own := map[string]int{
		"host.can_queue": t.CanQueue, "host.target_can_queue": t.TargetCanQueue,
		"host.cmd_per_lun": max(t.CmdPerLUN, t.QueueDepth),
	}
	return float64(own[v.Name])
}
