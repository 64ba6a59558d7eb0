//go:build !unix && !windows

package computer

import "time"

// ProcessCPU is unknown on this system.
func ProcessCPU() (time.Duration, bool) { return 0, false }
