//go:build !linux

package computer

// readSystemCPU is unknown on this system.
func readSystemCPU() systemCPU { return systemCPU{} }
