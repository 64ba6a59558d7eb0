package machine

// Line is one cache line that cores share. Its owner declares it and says
// which Words and fields lie on it; no machine ever looks at an address.
//
// A line belongs to the machine that first used it.
type Line struct {
	// Class names the line in reports, such as "host" or "ring_tail".
	Class string
	// Unordered says that nothing orders the uses of the plain fields on the
	// line, on purpose: registers of hardware, or what the kernel itself stores
	// and reads without a lock. Where schedules are explored, unordered uses of
	// any others are a finding.
	Unordered bool
	// Slot is the machine's own index of the line, 0 before its first use.
	Slot int
}

// NewLine declares a line of its own.
func NewLine(class string) *Line { return &Line{Class: class} }
