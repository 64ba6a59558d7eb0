package lld

import (
	"strconv"

	"hostlock/dispatch"
	"hostlock/machine"
)

// ksoftirqd is the thread that runs softirqs raised outside of an interrupt:
// commands that a work item completes wait here until the scheduler gives it
// the processor.
type ksoftirqd struct {
	h    *dispatch.Host
	head machine.Word // a stack of command indices, linked by HostData
	wake machine.Completion
}

var secKsoftirqd = machine.NewSection("run_ksoftirqd")

func (k *ksoftirqd) init(h *dispatch.Host) {
	k.h = h
	k.head.Init(machine.NewLine("softirq_done"), 0)
	k.wake.Init()
	m := h.Machine()
	m.Go("ksoftirqd/"+strconv.Itoa(h.ID), h.ID%m.Cores(), true, func(t *machine.Thread) {
		for {
			k.wake.Wait(t)
			k.run(t)
		}
	})
}

// done hands a completed command over.
func (k *ksoftirqd) done(t *machine.Thread, cmd *dispatch.Command) {
	for {
		old := k.head.Load(t)
		cmd.HostData = int(old)
		if k.head.CAS(t, old, uint64(cmd.Index)) {
			if old == 0 {
				k.wake.Complete(t)
			}
			return
		}
	}
}

func (k *ksoftirqd) run(t *machine.Thread) {
	t.Enter(secKsoftirqd)
	index, first := uint32(k.head.Swap(t, 0)), uint32(0)
	for index != 0 {
		cmd := k.h.Command(index)
		next := uint32(cmd.HostData)
		cmd.HostData, first, index = int(first), index, next
	}
	for first != 0 {
		cmd := k.h.Command(first)
		first = uint32(cmd.HostData)
		cmd.Done(t)
	}
	t.Leave()
}
