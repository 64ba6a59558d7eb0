// Package scsi has how a command can end, with the values of the kernel and of
// the standards.
package scsi

import (
	"errors"
	"fmt"
)

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

// Again reports whether the sense data says to try again.
func (r Result) Again() bool {
	return r.Status == CheckCondition && !r.NoSenseData && (r.Sense == UnitAttention || r.Sense == AbortedCommand)
}

// NotReadyYet reports whether a device says that it must be started first.
func (r Result) NotReadyYet() bool {
	return r.Host == DidOK && r.Status == CheckCondition && !r.NoSenseData && r.Sense == NotReady
}
