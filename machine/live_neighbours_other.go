//go:build !linux

package machine

// readSystemCPU is unknown on this system.
func readSystemCPU() systemCPU { return systemCPU{} }
