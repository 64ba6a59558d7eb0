package computer

import (
	"syscall"
	"time"
)

// ProcessCPU is the processor time that this process has used so far, in user
// and kernel mode together; false where the system does not say.
func ProcessCPU() (time.Duration, bool) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, false
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &exited, &kernel, &user); err != nil {
		return 0, false
	}
	return filetime(kernel) + filetime(user), true
}

// filetime is a count of 100 ns. (Filetime.Nanoseconds would take it for a
// date, and subtract 1601 to 1970.)
func filetime(f syscall.Filetime) time.Duration {
	return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
}
