//go:build !unix

package profiles

import "time"

// processCPU is 0: this system's figure is not worth a check.
func processCPU() time.Duration { return 0 }
