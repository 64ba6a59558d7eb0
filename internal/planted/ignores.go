package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
)

// ignored are verbs that do nothing, or half of it: nothing is lost by that, so
// that only a story can tell, which knows how long a queue has to wait.
var ignored = []Fault{
	{Name: "blocks nobody", About: "a refusal sets no blocked counter", Told: true, New: wrap("per-queue", func(s dispatch.Strategy) dispatch.Strategy {
		return &blocksNobody{s}
	})},
	{Name: "host never blocked", About: "HOST_BUSY sets no blocked counter", Told: true, New: wrap("per-queue", func(s dispatch.Strategy) dispatch.Strategy {
		return &hostNeverBlocked{s}
	})},
	{Name: "never unblocks", About: "a completion leaves the blocked counters as they are", Told: true, New: wrap("per-queue", func(s dispatch.Strategy) dispatch.Strategy {
		return &neverUnblocks{s}
	})},
	{Name: "depth as it was", About: "a queue depth that was lowered is not looked at", Told: true, Recovers: true, New: func(h *dispatch.Host) (dispatch.Strategy, error) {
		return newSketch(h, "depth as it was"), nil
	}},
}

type blocksNobody struct{ dispatch.Strategy }

func (s *blocksNobody) Block(*machine.Thread, *dispatch.Device, dispatch.Code) {}

type hostNeverBlocked struct{ dispatch.Strategy }

func (s *hostNeverBlocked) Block(t *machine.Thread, dev *dispatch.Device, code dispatch.Code) {
	if code != dispatch.HostBusy {
		s.Strategy.Block(t, dev, code)
	}
}

type neverUnblocks struct{ dispatch.Strategy }

func (s *neverUnblocks) Unblock(*machine.Thread, *dispatch.Command) {}
