//go:build unix

package computer

import (
	"syscall"
	"time"
)

// ProcessCPU is the processor time that this process has used so far, in user
// and system mode together; false where the system does not say.
func ProcessCPU() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
