package dispatch

// FaultyDriver is a driver that injects faults, and counts what it injected.
type FaultyDriver interface {
	Driver
	// Injected has every kind of fault in a fixed order, with how often it was
	// injected in the whole run, into the error handler's own commands too.
	Injected() []DriverCount
}

// InjectedFaults adds up what the drivers of all hosts injected, once the machine
// has stopped; nil where the driver counts none.
func (sys *System) InjectedFaults() []DriverCount {
	var sum []DriverCount
	for _, h := range sys.hosts {
		d, ok := h.driver.(FaultyDriver)
		if !ok {
			return nil
		}
		for i, c := range d.Injected() {
			if i == len(sum) {
				sum = append(sum, DriverCount{Name: c.Name})
			}
			sum[i].Value += c.Value
		}
	}
	return sum
}
