package dispatch

// FaultyDriver is a driver that injects faults, and counts what it injected.
type FaultyDriver interface {
	Driver
	// Injected has every kind of fault in a fixed order, with how often it was
	// injected in the whole run, into the error handler's own commands too.
	Injected() []FaultCount
}

// FaultCount is how often a fault was injected.
type FaultCount struct {
	Name  string // in words
	Param string // the parameter that asks for it
	Value int64
	// Unanswered says that a command with this fault comes back late or never,
	// so that somebody must look for it.
	Unanswered bool
}

// InjectedFaults adds up what the drivers of all hosts injected, once the machine
// has stopped, with what was removed; empty where the driver counts none and
// nothing was.
func (sys *System) InjectedFaults() []FaultCount {
	var sum []FaultCount
	for _, h := range sys.hosts {
		d, ok := h.driver.(FaultyDriver)
		if !ok {
			break
		}
		for i, c := range d.Injected() {
			if i == len(sum) {
				sum = append(sum, c)
			} else {
				sum[i].Value += c.Value
			}
		}
	}
	for _, c := range [...]FaultCount{
		{Name: "hosts removed", Param: "host.remove_at", Value: sys.removedHosts.Load()},
		{Name: "devices removed", Param: "host.remove_device_at", Value: sys.removedDevices.Load()},
	} {
		if c.Value > 0 {
			sum = append(sum, c)
		}
	}
	return sum
}
