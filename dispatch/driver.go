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

// Aborter is a driver that can abort a command (eh_abort_handler). It is called
// by the error handler's thread, with nothing held, and may wait. True means
// that the driver will never complete or touch the command any more: it has
// forgotten it, or has completed it meanwhile ([Command.Returned]).
//
// For a driver without one, a command is taken back where [Command.TakeBack]
// can do it.
type Aborter interface {
	Driver
	Abort(t *machine.Thread, cmd *Command) bool
}

// Resetter is a driver that can reset a device, its target, the bus, or the
// host adapter (eh_device_reset_handler and so on). cmds are all commands that it
// still has of what is reset. True means for every one of them what it
// does for Aborter. A driver without it has no resets.
type Resetter interface {
	Driver
	Reset(t *machine.Thread, level Level, dev *Device, cmds []*Command) bool
}

// TakeBack takes a command away from hardware that is nothing but the timer
// of [Command.Arm]: it reports whether that was armed and now will not fire, or
// whether the command is Lost.
func (cmd *Command) TakeBack(t *machine.Thread) bool { return cmd.timer.Disarm(t) || cmd.Lost }

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
