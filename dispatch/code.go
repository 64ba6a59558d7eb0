package dispatch

import (
	"fmt"

	"hostlock/dispatch/scsi"
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
	case scsi.DidOK:
	case scsi.DidRequeue:
		return addToMLQueue
	case scsi.DidImmRetry:
		return needsRetry
	case scsi.DidSoftError, scsi.DidBusBusy, scsi.DidError:
		return again()
	default:
		return success
	}
	switch cmd.Result.Status {
	case scsi.Busy, scsi.TaskSetFull:
		return addToMLQueue
	case scsi.CheckCondition:
		switch {
		case cmd.Result.NoSenseData, h.mustStart(cmd.Result):
			return failed
		case cmd.Result.Again():
			return again()
		}
	}
	return success
}
