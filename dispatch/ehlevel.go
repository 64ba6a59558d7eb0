package dispatch

// Level is a stage of error handling, from the mildest.
type Level uint8

const (
	CommandAbort Level = iota
	DeviceReset
	TargetReset
	BusReset // a host has one bus here
	HostReset
	levels = iota
)

var levelNames = [...]string{"abort", "device", "target", "bus", "host"}

func (l Level) String() string { return levelNames[l] }

// same reports whether a reset of that level concerns both commands, which are
// of one host.
func (l Level) same(a, b *Command) bool {
	switch l {
	case CommandAbort:
		return a == b
	case DeviceReset:
		return a.Device() == b.Device()
	case TargetReset:
		return a.Device().Target == b.Device().Target
	}
	return true
}
