package lld

import (
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
	"hostlock/machine/param"
)

// faults makes a driver refuse or fail commands at random, for tests and for
// experiments on restarts. All rates are 0 by default, and then nothing is
// drawn.
type faults struct {
	host, device, target, unknown float64
	retry, full, fail             float64
	sense, unready                float64
	refuses, fails                bool
	stopped                       []atomic.Bool // by device: it says that it must be started
	injected
}

const faultSource = "a choice: no faults; set it to exercise restarts"

func faultParams(driver string) []param.Spec {
	rate := func(name, about string) param.Spec {
		return param.Spec{Name: driver + "." + name, Kind: param.Float, Default: "0", Max: 1, About: about, Source: faultSource}
	}
	return []param.Spec{
		rate("host_busy_rate", "share of queuecommand calls answered with HOST_BUSY"),
		rate("device_busy_rate", "share answered with DEVICE_BUSY"),
		rate("target_busy_rate", "share answered with TARGET_BUSY"),
		rate("eh_retry_rate", "share answered with EH_RETRY, which the path takes for HOST_BUSY"),
		rate("retry_rate", "share of commands completed with DID_SOFT_ERROR, which is tried again"),
		rate("queue_full_rate", "share completed with status TASK SET FULL, which blocks the device"),
		rate("error_rate", "share completed with a medium error, which fails"),
		rate("sense_rate", "share completed with CHECK CONDITION and no sense data, for which the error handler asks: a unit attention, to be tried again"),
		rate("not_ready_rate", "share at which a device stops, and from then on says NOT READY until it gets START UNIT (midlayer.allow_restart)"),
	}
}

func newFaults(driver string, h *dispatch.Host, p *param.Set) *faults {
	r := func(name string) float64 { return p.Float(driver + "." + name) }
	f := faults{
		host: r("host_busy_rate"), device: r("device_busy_rate"), target: r("target_busy_rate"), unknown: r("eh_retry_rate"),
		retry: r("retry_rate"), full: r("queue_full_rate"), fail: r("error_rate"),
		sense: r("sense_rate"), unready: r("not_ready_rate"), stopped: make([]atomic.Bool, len(h.Devices)),
		injected: injected{driver: driver},
	}
	f.refuses = f.host+f.device+f.target+f.unknown > 0
	f.fails = f.retry+f.full+f.fail+f.sense+f.unready > 0
	return &f
}

// refuse draws queuecommand's answer.
func (f *faults) refuse(t *machine.Thread) dispatch.Code {
	if !f.refuses {
		return dispatch.Accepted
	}
	x := t.Rand().Float64()
	for _, c := range [...]struct {
		rate float64
		kind faultKind
		code dispatch.Code
	}{
		{f.host, faultHostBusy, dispatch.HostBusy}, {f.device, faultDeviceBusy, dispatch.DeviceBusy},
		{f.target, faultTargetBusy, dispatch.TargetBusy}, {f.unknown, faultEHRetry, dispatch.EHRetry},
	} {
		if x < c.rate {
			f.add(c.kind)
			return c.code
		}
		x -= c.rate
	}
	return dispatch.Accepted
}

// result draws how a command ends that was accepted. Drivers draw it in
// queuecommand, on a thread whose random stream is its own.
func (f *faults) result(t *machine.Thread, cmd *dispatch.Command) scsi.Result {
	if !cmd.GiveToDevice() {
		return scsi.Result{Status: scsi.TaskSetFull}
	}
	if !f.fails {
		return scsi.Result{}
	}
	notReady := scsi.Result{Status: scsi.CheckCondition, Sense: scsi.NotReady}
	if f.unready > 0 {
		//lab:free the state of a device, which is hardware
		switch stopped := &f.stopped[cmd.Device().Index]; {
		case cmd.Request.Op == dispatch.StartUnit:
			stopped.Store(false)
		case cmd.Request.Op == dispatch.RequestSense: // answered in any state
		case stopped.Load():
			return notReady
		case !cmd.Request.Op.OfHandler() && t.Rand().Float64() < f.unready:
			stopped.Store(true)
			f.add(faultNotReady)
			return notReady
		}
	}
	if f.sense > 0 && !cmd.Request.Op.OfHandler() && t.Rand().Float64() < f.sense {
		f.add(faultNoSense)
		return scsi.Result{Status: scsi.CheckCondition, Sense: scsi.UnitAttention, NoSenseData: true}
	}
	x := t.Rand().Float64()
	if x < f.retry {
		f.add(faultSoftError)
		return scsi.Result{Host: scsi.DidSoftError}
	}
	if x -= f.retry; x < f.full {
		f.add(faultQueueFull)
		return scsi.Result{Status: scsi.TaskSetFull}
	}
	if x -= f.full; x < f.fail {
		f.add(faultMediumError)
		return scsi.Result{Status: scsi.CheckCondition, Sense: scsi.MediumError}
	}
	return scsi.Result{}
}
