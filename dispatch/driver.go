package dispatch

import (
	"hostlock/machine"
	"hostlock/machine/param"
)

// Driver is a low-level driver's instance for one host (the kernel's LLD).
type Driver interface {
	// QueueCommand hands a command to the hardware. The contract is the
	// kernel's: Accepted means that the driver owns the command and has called
	// Command.Done, or will, possibly before QueueCommand returns; anything
	// else means that it never will. Under some strategies the host lock is
	// held and interrupts are off, under others nothing is, and it runs on
	// several cores at once.
	QueueCommand(t *machine.Thread, cmd *Command) Code
}

// TimedDriver is a driver whose hardware is a timer a command: see
// [Command.Arm].
type TimedDriver interface {
	Driver
	// Expire is called beside the cores, at machine.Device level, when the
	// command's timer has fired.
	Expire(t *machine.Thread, cmd *Command)
}

// CountingDriver is a driver with counts of its own, such as the frames of its
// hardware's messages, over the measured window ([Host.InWindow]).
type CountingDriver interface {
	Driver
	// Counts are in a fixed order.
	Counts() []DriverCount
}

// DriverCount is one number of a driver under its name.
type DriverCount struct {
	Name  string
	Value int64
}

// NotingDriver is a driver that has something to say about a run: a doubt
// about its model, or what the run made it do. One line each.
type NotingDriver interface {
	Driver
	Notes() []string
}

// DriverInfo registers a driver.
type DriverInfo struct {
	Name     string
	Aliases  []string
	About    string // one line
	Section  string // the kernel's name of its queuecommand
	Template HostTemplate
	Params   []param.Spec
	// Configure, where not nil, works out the template from the driver's own
	// parameters, as a driver that asks its firmware does. What the run's
	// host.* parameters say comes after it.
	Configure func(ht *HostTemplate, p *param.Set) error
	// LinkMB is what the adapter's link to its devices could carry, in 10^6 bytes
	// a second, and LinkSource where that is from: a bound that the driver does
	// not model, so that a run beyond it can be told. 0 is none.
	LinkMB     float64
	LinkSource string
	// New makes the instance of one host, before the run.
	New func(h *Host, p *param.Set) (Driver, error)
}

var driverNames registry[DriverInfo]

// RegisterDriver makes a driver known by its name; it panics where the name is
// taken. Call it from init.
func RegisterDriver(info DriverInfo) {
	if info.New == nil {
		panic("dispatch: driver " + info.Name + " has no New")
	}
	driverNames.add("driver", info.Name, info.Aliases, info)
}

// Drivers lists what is registered, in order of registration.
func Drivers() []DriverInfo { return driverNames.list() }

// LookupDriver finds a driver; its error names the legal ones.
func LookupDriver(name string) (DriverInfo, error) { return driverNames.find("driver", name) }
