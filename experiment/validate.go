package experiment

import (
	"math"
	"runtime"
	"strconv"
	"strings"
)

// Assignment is one "name=value" of the command line or of a case.
type Assignment struct {
	Name, Value string
}

// Assignments takes "name=value" texts apart. The load's own names, scale and
// hbas, are none of the parameters: scale comes back by itself, 0 where it is
// not given.
// Where a name is given more than once, the last one wins, in its place.
func Assignments(set []string) (list []Assignment, scale float64, err error) {
	for _, kv := range set {
		name, value, ok := strings.Cut(kv, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, 0, Usagef("--set %q; legal: name=value, such as mptsas.queuecommand=1us or scale=4", kv)
		}
		if !isLoad(name) {
			list = append(list, Assignment{name, value})
			continue
		}
		if name == "hbas" {
			if _, err := hbasOf([]string{kv}); err != nil {
				return nil, 0, err
			}
			continue
		}
		scale, err = strconv.ParseFloat(value, 64)
		if err != nil || !(scale > 0) || math.IsInf(scale, 0) || scale > maxScale {
			return nil, 0, Usagef("--set scale=%s; legal: a number more than 0, up to %d", value, maxScale)
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		for j := i - 1; j >= 0; j-- {
			if list[j].Name == list[i].Name {
				list = append(list[:j], list[j+1:]...)
				i--
			}
		}
	}
	return list, scale, nil
}

// Validate finds what is wrong with the options by themselves: values out of
// range, and ones that contradict each other. Whether names mean something is
// not asked here. Its error is a [UsageError].
func (o Options) Validate() error {
	switch {
	case o.Machine != "" && o.Machine != "live" && o.Machine != "sim":
		return Usagef("unknown machine %q; legal: live, sim", o.Machine)
	case o.Cores < 0 || o.Cores > MaxCores:
		return Usagef("--cores %d: out of range; legal: 1 to %d", o.Cores, MaxCores)
	case o.Threads < 0 || o.Threads > MaxThreads:
		return Usagef("--threads %d: out of range; legal: 1 to %d", o.Threads, MaxThreads)
	case o.Duration < 0 || o.Duration > MaxDuration:
		return Usagef("--duration %v: out of range; legal: more than 0, up to %gh", o.Duration, MaxDuration.Hours())
	case o.ProfileDuration && o.Duration > 0:
		return Usagef("--duration is given both as a time and as profile; legal: one of them")
	}
	if err := o.CheckCores(o.Machine); err != nil {
		return err
	}
	_, scale, err := Assignments(o.Set)
	if err == nil && o.Weak && scale > 0 {
		return Usagef("--weak and --set scale= both set the scale; legal: one of them")
	}
	return err
}

// CheckCores refuses a core count that the machine does not have: live runs on
// the cores of this computer, as many as Go may use of them.
func (o Options) CheckCores(machine string) error {
	if have := runtime.GOMAXPROCS(0); machine == "live" && o.Cores != 0 && o.Cores != have {
		return Usagef("--cores %d on machine live, which has the %d of this computer; legal: --cores %d, or --machine sim", o.Cores, have, have)
	}
	return nil
}
