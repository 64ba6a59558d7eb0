package dispatch

import "hostlock/machine"

// kblockd is one core's work thread for request queues.
type kblockd struct {
	head machine.Word // stack of devices with work, by ID+1
	wake machine.Completion
	run  Run
	_    [64]byte
}

// What kblockd may be asked to do for a device.
const (
	workUnplug = 1 << iota // run its queue
	workRun                // run the starved devices, then its queue
)

func (sys *System) initKblockd() {
	sys.kblockd = make([]kblockd, sys.m.Cores())
	for core := range sys.kblockd {
		k := &sys.kblockd[core]
		k.head.Init(machine.NewLine("kblockd"), 0)
		k.wake.Init()
		k.run.init()
		sys.m.Go("kblockd/"+itoa(core), core, true, func(t *machine.Thread) {
			for {
				k.wake.Wait(t)
				sys.runWork(t, k)
			}
		})
	}
}

// queueWork gives a device to the kblockd of t's core, unless one has it
// already; then that one does what is asked as well.
func (d *Device) queueWork(t *machine.Thread, bit uint64) {
	for {
		old := d.work.Load(t)
		if old&bit != 0 {
			return
		}
		if d.work.CAS(t, old, old|bit) {
			if old != 0 {
				return
			}
			break
		}
	}
	k := &d.Host.sys.kblockd[t.Core()]
	sys := d.Host.sys
	for {
		old := k.head.Load(t)
		d.nextWork = sys.deviceOf(old)
		if k.head.CAS(t, old, uint64(d.ID)+1) {
			break
		}
	}
	k.wake.Complete(t)
}

func (sys *System) deviceOf(work uint64) *Device {
	if work == 0 {
		return nil
	}
	return sys.devices[work-1]
}

func (sys *System) runWork(t *machine.Thread, k *kblockd) {
	t.Enter(secKblockd)
	d := sys.deviceOf(k.head.Swap(t, 0))
	var first *Device
	for d != nil {
		d, d.nextWork, first = d.nextWork, first, d
	}
	for first != nil {
		d := first
		first = d.nextWork
		// Taken before the run: what is asked from now on is asked again.
		what := d.work.Swap(t, 0)
		if what&workRun != 0 {
			d.Host.RunQueue(t, d, &k.run)
		} else if d.Host.strategy.Enter(t, d) {
			d.RequestFn(t)
		}
	}
	t.Leave()
}
