package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// wrapped are shipped strategies of which one verb is spoilt.
var wrapped = []struct {
	name, about string
	new         func(h *dispatch.Host) (dispatch.Strategy, error)
	recovers    bool // wrapped, a strategy is no dispatch.Recoverer any more
}{
	{"driver called twice", "queuecommand is called again where it answered busy", wrap("ring", func(s dispatch.Strategy) dispatch.Strategy {
		return &callsTwice{s}
	}), false},
	{"work skipped", "scsi_device_unbusy's work is not done", wrap("host-lock", func(s dispatch.Strategy) dispatch.Strategy {
		return &skipsWork{s}
	}), false},
	{"interrupts left off", "a completion gives the slots back with interrupts off, and leaves them so", wrap("host-lock", func(s dispatch.Strategy) dispatch.Strategy {
		return &leavesOff{s}
	}), false},
	{"unlocked for all", "the host lock is dropped for a driver that relies on it", func(h *dispatch.Host) (dispatch.Strategy, error) {
		info, err := dispatch.LookupStrategy("unlocked-qcmds")
		if err != nil {
			return nil, err
		}
		needs := h.Template.NeedsHostLock
		h.Template.NeedsHostLock = false
		s, err := info.New(h)
		h.Template.NeedsHostLock = needs
		return s, err
	}, true},
	{"stays blocked", "a driver's refusal blocks the device, and its state is forgotten", wrap("host-lock", func(s dispatch.Strategy) dispatch.Strategy {
		return &stopsQueue{s}
	}), false},
}

func wrap(name string, with func(dispatch.Strategy) dispatch.Strategy) func(h *dispatch.Host) (dispatch.Strategy, error) {
	return func(h *dispatch.Host) (dispatch.Strategy, error) {
		info, err := dispatch.LookupStrategy(name)
		if err != nil {
			return nil, err
		}
		s, err := info.New(h)
		if err != nil {
			return nil, err
		}
		return with(s), nil
	}
}

type callsTwice struct{ dispatch.Strategy }

func (s *callsTwice) Call(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	code := s.Strategy.Call(t, cmd)
	if code != dispatch.Accepted {
		return cmd.Host().QueueCommand(t, cmd)
	}
	return code
}

type skipsWork struct{ dispatch.Strategy }

func (s *skipsWork) Release(*machine.Thread, *dispatch.Command) {}

type leavesOff struct{ dispatch.Strategy }

func (s *leavesOff) Release(t *machine.Thread, cmd *dispatch.Command) {
	s.Strategy.Release(t, cmd)
	t.IRQSave()
}

type stopsQueue struct{ dispatch.Strategy }

func (s *stopsQueue) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	s.Strategy.Block(t, dev, code)
	if code == dispatch.DeviceBusy {
		s.SetDeviceState(t, dev, dispatch.DeviceBlock)
	}
}
