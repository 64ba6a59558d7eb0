package results

// Bound is what bounded a run, and how much of it the run reached.
type Bound struct {
	// By is a parameter, a class of lock or of cache line, "cpu", "device", "load", or "no single
	// bound".
	By      string     `json:"by"`
	Limit   float64    `json:"limit"`       // commands a second that it allows
	Reached float64    `json:"reached_pct"` // of them
	Next    *NextBound `json:"next"`        // nil where there is no other

	Why     string  `json:"-"` // the arithmetic
	Nearest string  `json:"-"` // what it is of, where By is NoSingleBound
	Gain    float64 `json:"-"` // percent that a quarter more of it is expected to give
}

// NoSingleBound is what a run is said to be bounded by where a quarter more of no
// resource gives 3 %.
const NoSingleBound = "no single bound"

// NextBound is what would bound the run if there were plenty of the first.
type NextBound struct {
	By    string  `json:"by"`
	Limit float64 `json:"limit"`
}

// Occupancy is how full hosts and devices were over the window.
type Occupancy struct {
	// InFlight is the mean number of commands that hold a slot of their host; on
	// this computer, that the driver has.
	InFlight float64 `json:"in_flight_mean"`
	// HostFull is the share of time in which a host had no slot left, in percent.
	HostFull float64 `json:"host_full_pct"`
	// DeviceFull is the share of time in which a device that had work had none left.
	DeviceFull float64 `json:"device_full_pct"`
}

func (b *Bound) rounded() *Bound {
	if b == nil {
		return nil
	}
	c := *b
	c.Limit, c.Reached = round(b.Limit, rateDecimals), round(b.Reached, pctDecimals)
	if b.Next != nil {
		c.Next = &NextBound{b.Next.By, round(b.Next.Limit, rateDecimals)}
	}
	return &c
}

func (o *Occupancy) rounded() *Occupancy {
	if o == nil {
		return nil
	}
	return &Occupancy{round(o.InFlight, pctDecimals), round(o.HostFull, pctDecimals), round(o.DeviceFull, pctDecimals)}
}
