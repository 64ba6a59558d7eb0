package lld

import (
	"sync/atomic"

	"hostlock/dispatch"
)

// faultKind is one of the faults that are drawn command by command.
type faultKind int

const (
	faultHostBusy faultKind = iota
	faultDeviceBusy
	faultTargetBusy
	faultEHRetry
	faultSoftError
	faultQueueFull
	faultMediumError
	faultDrop
	faultDelay
	faultDuplicate
	faultNoSense
	faultNotReady
	faultKinds
)

var faultNames = [faultKinds]string{
	"host busy", "device busy", "target busy", "eh retry", "soft error", "queue full", "medium error",
	"dropped", "delayed", "duplicated", "no sense data", "not ready",
}

// injected counts faults by kind. It is an instrument: only a fault costs an
// addition, and that costs nothing in virtual time.
type injected [faultKinds]atomic.Int64

func (n *injected) add(k faultKind) { n[k].Add(1) }

// Injected implements dispatch.FaultyDriver.
func (n *injected) Injected() []dispatch.DriverCount {
	out := make([]dispatch.DriverCount, faultKinds)
	for k := range out {
		out[k] = dispatch.DriverCount{Name: faultNames[k], Value: n[k].Load()}
	}
	return out
}
