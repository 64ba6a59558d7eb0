package spec

import (
	"math"
	"strconv"

	"hostlock/machine/param"
)

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

// SizedLoad is the experiment's load, factor times as large: threads, LUNs and
// limits in proportion. Fractions shrink the load, and nothing shrinks below
// one. hbas is the number of HBAs, 0 for as many as follow from the factor:
// one HBA for a load of any size shows what its one lock can bear.
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

// IsLoad reports whether a setting's name is the load's own, and no parameter's.
func IsLoad(name string) bool { return name == "scale" || name == "hbas" }

// LoadSettings is what settings say of the load: its scale and its number of
// HBAs, each 0 where they say nothing. Its error is a [UsageError].
func LoadSettings(set []param.Setting) (scale float64, hbas int, err error) {
	for _, v := range set {
		switch v.Name {
		case "scale":
			scale, err = strconv.ParseFloat(v.Value, 64)
			if err != nil || !(scale > 0) || scale > maxScale {
				return 0, 0, ErrorAt(v.At, v.Name, "%s; legal: a number more than 0, up to %d", v, maxScale)
			}
		case "hbas":
			hbas, err = strconv.Atoi(v.Value)
			if err != nil || hbas < 1 || hbas > MaxHBAs {
				return 0, 0, ErrorAt(v.At, v.Name, "%s; legal: a whole number, 1 to %d", v, MaxHBAs)
			}
		}
	}
	return scale, hbas, nil
}
