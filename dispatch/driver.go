package dispatch

import (
	"hostlock/dispatch/eh"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// Driver is a low-level driver's instance for one host (the kernel's LLD). It may
// have more methods:
//
//   - Expire(t, cmd), where its hardware is a timer a command ([Command.Arm]). It is
//     called beside the cores, at machine.Device level, when that has fired.
//   - Abort(t, cmd) bool (eh_abort_handler), called by the error handler's thread,
//     with nothing held; it may wait. True means that the driver will never
//     complete or touch the command any more: it has forgotten it, or has completed
//     it meanwhile ([Command.Returned]). Without it, a command is taken back where
//     [Command.TakeBack] can do it.
//   - Reset(t, eh.Level, dev, cmds) bool, which resets a device, its target, the bus
//     or the host adapter (eh_device_reset_handler and so on). cmds are all commands
//     that it still has of what is reset; true means for each what it does for
//     Abort. Without it there are no resets.
//   - TimedOut(t, cmd) eh.Answer (eh_timed_out): a say in a timeout. It is called in
//     the timer's soft interrupt, or by queuecommand's caller where the time was
//     over before that returned, with nothing held, and must not wait.
//   - Counts() []tally.DriverCount, in a fixed order: what it counted over the
//     measured window ([Host.InWindow]).
//   - Notes() []string, a line each: a doubt about its model, or what the run made
//     it do.
//   - Injected() []tally.FaultCount, in a fixed order: how often it injected every
//     kind of fault in the whole run, into the error handler's own commands too.
type Driver interface {
	// QueueCommand hands a command to the hardware. The contract is the
	// kernel's: Accepted means that the driver owns the command and has called
	// Command.Done, or will, possibly before QueueCommand returns; anything
	// else means that it never will. Under some strategies the host lock is
	// held and interrupts are off, under others nothing is, and it runs on
	// several cores at once.
	QueueCommand(t *machine.Thread, cmd *Command) Code
}

type (
	timedDriver interface {
		Expire(t *machine.Thread, cmd *Command)
	}
	aborter interface {
		Abort(t *machine.Thread, cmd *Command) bool
	}
	resetter interface {
		Reset(t *machine.Thread, level eh.Level, dev *Device, cmds []*Command) bool
	}
	timeoutDriver interface {
		TimedOut(t *machine.Thread, cmd *Command) eh.Answer
	}
	servingDriver  interface{ Service() tally.Service }
	countingDriver interface{ Counts() []tally.DriverCount }
	notingDriver   interface{ Notes() []string }
	faultyDriver   interface{ Injected() []tally.FaultCount }
)

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
	// Locks are the classes of its own locks, each of which can be given an
	// algorithm by its name.
	Locks []string
	// StoresData says that what is read is what was written.
	StoresData bool
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

// TakeBack takes a command away from hardware that is nothing but the timer
// of [Command.Arm]: it reports whether that was armed and now will not fire, or
// whether the command is Lost.
func (cmd *Command) TakeBack(t *machine.Thread) bool { return cmd.timer.Disarm(t) || cmd.Lost }

// DriverCounts has the counts of the drivers of all hosts, each host's in its own
// order; DriverNotes what the first host's has to say.
func (sys *System) DriverCounts() (all []tally.DriverCount) {
	for _, h := range sys.hosts {
		if d, ok := h.driver.(countingDriver); ok {
			all = append(all, d.Counts()...)
		}
	}
	return all
}

func (sys *System) DriverNotes() []string {
	if d, ok := sys.hosts[0].driver.(notingDriver); ok {
		return d.Notes()
	}
	return nil
}

// InjectedFaults adds up what the drivers of all hosts injected, once the machine
// has stopped, with what was removed; empty where the driver counts none and
// nothing was.
func (sys *System) InjectedFaults() []tally.FaultCount {
	var sum []tally.FaultCount
	for _, h := range sys.hosts {
		d, ok := h.driver.(faultyDriver)
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
	for _, c := range [...]tally.FaultCount{
		{Name: "hosts removed", Param: "host.remove_at", Value: sys.removedHosts.Load()},
		{Name: "devices removed", Param: "host.remove_device_at", Value: sys.removedDevices.Load()},
	} {
		if c.Value > 0 {
			sum = append(sum, c)
		}
	}
	return sum
}
