package machine

import "time"

// ProcessCPU is the processor time that this process has used so far, in user
// and system mode together: what a figure should be in where neighbours disturb
// the clock's. It is false where the system does not say.
func ProcessCPU() (time.Duration, bool) { return processCPU() }
