package dispatch

import (
	"errors"
	"fmt"
)

// Code is what queuecommand answers, with the kernel's values [S35 scsi.h].
// Zero means that the driver owns the command and has called, or will call,
// [Command.Done]; anything else means that it has not and will not.
type Code int

const (
	Accepted   Code = 0
	HostBusy   Code = 0x1055 // the host takes no command now: host_blocked is set
	DeviceBusy Code = 0x1056 // this device takes none: device_blocked is set
	EHRetry    Code = 0x1057 // put back and try again, nothing is blocked
	TargetBusy Code = 0x1058 // this target takes none: target_blocked is set
)

func (c Code) String() string {
	switch c {
	case Accepted:
		return "accepted"
	case HostBusy:
		return "SCSI_MLQUEUE_HOST_BUSY"
	case DeviceBusy:
		return "SCSI_MLQUEUE_DEVICE_BUSY"
	case EHRetry:
		return "SCSI_MLQUEUE_EH_RETRY"
	case TargetBusy:
		return "SCSI_MLQUEUE_TARGET_BUSY"
	}
	return fmt.Sprintf("code %#x", int(c))
}

// HostByte is the driver's part of a result, with the kernel's values.
type HostByte uint8

const (
	DidOK        HostByte = 0x00
	DidNoConnect HostByte = 0x01
	DidBusBusy   HostByte = 0x02
	DidTimeOut   HostByte = 0x03
	DidAbort     HostByte = 0x05
	DidError     HostByte = 0x07
	DidSoftError HostByte = 0x0b
	DidImmRetry  HostByte = 0x0c
	DidRequeue   HostByte = 0x0d
)

// Status is the device's part of a result, with the values of SAM.
type Status uint8

const (
	Good           Status = 0x00
	CheckCondition Status = 0x02
	Busy           Status = 0x08
	TaskSetFull    Status = 0x28 // the kernel's QUEUE_FULL
)

// SenseKey says why a status is CheckCondition, with the values of SPC.
type SenseKey uint8

const (
	NoSense        SenseKey = 0x0
	RecoveredError SenseKey = 0x1
	NotReady       SenseKey = 0x2 // it must be started first (START UNIT)
	MediumError    SenseKey = 0x3
	UnitAttention  SenseKey = 0x6
	AbortedCommand SenseKey = 0xb
)

// Result is how a command ended.
type Result struct {
	Host   HostByte
	Status Status
	Sense  SenseKey
	// NoSenseData says that the driver did not bring the sense data along: Sense
	// is what the device will say when the error handler asks for it.
	NoSenseData bool
}

// Err is nil for a command that succeeded, and otherwise names the result.
func (r Result) Err() error {
	if r.Host == DidOK && (r.Status == Good || r.Status == CheckCondition && !r.NoSenseData && r.Sense <= RecoveredError) {
		return nil
	}
	return resultError{r}
}

type resultError struct{ r Result }

func (e resultError) Error() string { return "command failed: " + e.r.String() }

// ResultOf is how the command ended that an error is about, and whether it is
// about one.
func ResultOf(err error) (Result, bool) {
	var e resultError
	ok := errors.As(err, &e)
	return e.r, ok
}

// String names what the result says first: the driver's part, else the device's.
func (r Result) String() string {
	switch {
	case r.Host != DidOK:
		return fmt.Sprintf("%s (host byte %#02x)", named(hostBytes, r.Host), uint8(r.Host))
	case r.Status == CheckCondition && r.NoSenseData:
		return fmt.Sprintf("CHECK CONDITION without sense data (status %#02x), which nobody asked the device for", uint8(r.Status))
	case r.Status == CheckCondition:
		return fmt.Sprintf("%s (CHECK CONDITION, sense key %#x)", named(senseKeys, r.Sense), uint8(r.Sense))
	}
	return fmt.Sprintf("%s (status %#02x)", named(statuses, r.Status), uint8(r.Status))
}

var (
	hostBytes = map[HostByte]string{
		DidNoConnect: "DID_NO_CONNECT: the host or device is gone or offline", DidBusBusy: "DID_BUS_BUSY", DidTimeOut: "DID_TIME_OUT: it was given up",
		DidAbort: "DID_ABORT", DidError: "DID_ERROR", DidSoftError: "DID_SOFT_ERROR", DidImmRetry: "DID_IMM_RETRY", DidRequeue: "DID_REQUEUE",
	}
	statuses  = map[Status]string{Good: "GOOD", Busy: "BUSY", TaskSetFull: "TASK SET FULL"}
	senseKeys = map[SenseKey]string{
		NoSense: "no sense", RecoveredError: "recovered error", NotReady: "not ready", MediumError: "medium error",
		UnitAttention: "unit attention", AbortedCommand: "aborted command",
	}
)

func named[K comparable](names map[K]string, k K) string {
	if name, ok := names[k]; ok {
		return name
	}
	return "failure"
}

// disposition is what becomes of a command that the driver has completed
// (scsi_decide_disposition).
type disposition uint8

const (
	success      disposition = iota // finish it, with its result
	needsRetry                      // try again, blocking nothing
	addToMLQueue                    // the device could not take it: block the device and put it back
	failed                          // the error handler must see to it
)

// dispose decides by host byte, status and sense key [S35 scsi_error.c].
func (h *Host) dispose(cmd *Command) disposition {
	again := func() disposition {
		if cmd.retries++; cmd.retries <= h.sys.retries {
			return needsRetry
		}
		return success
	}
	switch cmd.Result.Host {
	case DidOK:
	case DidRequeue:
		return addToMLQueue
	case DidImmRetry:
		return needsRetry
	case DidSoftError, DidBusBusy, DidError:
		return again()
	default:
		return success
	}
	switch cmd.Result.Status {
	case Busy, TaskSetFull:
		return addToMLQueue
	case CheckCondition:
		switch {
		case cmd.Result.NoSenseData, h.mustStart(cmd.Result):
			return failed
		case cmd.Result.again():
			return again()
		}
	}
	return success
}

// again reports whether the sense data says to try again.
func (r Result) again() bool {
	return r.Status == CheckCondition && !r.NoSenseData && (r.Sense == UnitAttention || r.Sense == AbortedCommand)
}
