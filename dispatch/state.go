package dispatch

import "fmt"

// HostState is the life of a host adapter [S35 scsi_host.h].
type HostState uint8

const (
	HostCreated HostState = iota + 1
	HostRunning
	HostCancel
	HostDel
	HostRecovery
	HostCancelRecovery
	HostDelRecovery
)

var hostStates = [...]string{"", "created", "running", "cancel", "deleted", "recovery", "cancel/recovery", "deleted/recovery"}

func (s HostState) String() string { return hostStates[s] }

// InRecovery reports whether no new command may start because errors are
// being handled.
func (s HostState) InRecovery() bool {
	return s == HostRecovery || s == HostCancelRecovery || s == HostDelRecovery
}

// legal lists the transitions into each state [S35 scsi_host_set_state].
var legalHost = map[HostState][]HostState{
	HostRunning:        {HostCreated, HostRecovery},
	HostRecovery:       {HostRunning},
	HostCancel:         {HostCreated, HostRunning, HostCancelRecovery},
	HostDel:            {HostCancel, HostDelRecovery},
	HostCancelRecovery: {HostCancel, HostRecovery},
	HostDelRecovery:    {HostCancelRecovery},
}

func checkHostTransition(from, to HostState) error {
	if from == to {
		return nil
	}
	for _, ok := range legalHost[to] {
		if from == ok {
			return nil
		}
	}
	return fmt.Errorf("host state: %v to %v is not legal", from, to)
}

// DeviceState is the life of a device [S35 scsi_device.h].
type DeviceState uint8

const (
	DeviceCreated DeviceState = iota + 1
	DeviceRunning
	DeviceCancel
	DeviceDel
	DeviceQuiesce // only requests marked Preempt pass
	DeviceOffline
	DeviceBlock // by the driver: commands wait, none fails
	DeviceCreatedBlock
)

var deviceStates = [...]string{"", "created", "running", "cancel", "deleted", "quiesce", "offline", "blocked", "created-blocked"}

func (s DeviceState) String() string { return deviceStates[s] }

// Blocked reports whether the driver holds the device's commands back.
func (s DeviceState) Blocked() bool { return s == DeviceBlock || s == DeviceCreatedBlock }

// Online reports whether commands can reach the device at all.
func (s DeviceState) Online() bool { return s != DeviceOffline && s != DeviceDel }

// Verdict is what a device's state says about a request at the head of its
// queue.
type Verdict uint8

const (
	Pass  Verdict = iota
	Defer         // leave it; the queue is run again when the state changes, or by the plug
	Kill          // take it, and complete it with [Host.NoConnect]
)

// Verdict judges a fresh request, or one that has been prepared before
// (scsi_prep_state_check and the check after it) [S35]: a prepared one, having
// been requeued, is not held back by its device's being quiesced.
func (s DeviceState) Verdict(prepared, preempt bool) Verdict {
	switch {
	case s == DeviceRunning:
		return Pass
	case !s.Online():
		return Kill
	case prepared || preempt:
		return Pass
	case s == DeviceQuiesce || s.Blocked():
		return Defer
	default:
		return Kill
	}
}
