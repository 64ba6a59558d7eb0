package calibrate

import "golang.org/x/sys/unix"

// bind lets the calling thread run on one processor only, and returns what
// restores where it could run before.
func bind(cpu int) (restore func() error, err error) {
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, err
	}
	only.Set(cpu)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return nil, err
	}
	return func() error { return unix.SchedSetaffinity(0, &before) }, nil
}

// usable is the processors that this process may run on.
func usable() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cpus []int
	for cpu := range 8 * len(set) * 8 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
