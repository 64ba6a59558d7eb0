package lld

import (
	"sync/atomic"

	"hostlock/dispatch/tally"
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
	faultHang
	faultKinds
)

// faultAbout is a kind in words, and the short name of its parameter.
var faultAbout = [faultKinds]struct {
	name, param string
	unanswered  bool
}{
	faultHostBusy: {"host busy", "host_busy_rate", false}, faultDeviceBusy: {"device busy", "device_busy_rate", false},
	faultTargetBusy: {"target busy", "target_busy_rate", false}, faultEHRetry: {"eh retry", "eh_retry_rate", false},
	faultSoftError: {"soft error", "retry_rate", false}, faultQueueFull: {"queue full", "queue_full_rate", false},
	faultMediumError: {"medium error", "error_rate", false}, faultDrop: {"dropped", "drop_rate", true},
	faultDelay: {"delayed", "delay_rate", true}, faultDuplicate: {"duplicated", "duplicate_rate", false},
	faultNoSense: {"no sense data", "sense_rate", false}, faultNotReady: {"not ready", "not_ready_rate", false},
	faultHang: {"held up by the hang", "hang_at", true},
}

// injected counts faults by kind. It is an instrument: only a fault costs an
// addition, and that costs nothing in virtual time.
type injected struct {
	driver string                   // whose parameters ask for them
	counts [faultKinds]atomic.Int64 //lab:free an instrument
}

func (n *injected) add(k faultKind) { n.counts[k].Add(1) }

// Injected is as [dispatch.Driver] says.
func (n *injected) Injected() []tally.FaultCount {
	out := make([]tally.FaultCount, faultKinds)
	for k := range out {
		about := faultAbout[k]
		out[k] = tally.FaultCount{
			Name: about.name, Param: n.driver + "." + about.param, Value: n.counts[k].Load(), Unanswered: about.unanswered,
		}
	}
	return out
}
