package machine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// looks has a watch look n times, after each of which something is done, and
// returns what it came to.
func looks(p *Pulse, n int, between func(i int)) *Hang {
	tick, over, found := make(chan time.Time), make(chan struct{}), make(chan *Hang)
	go func() { found <- p.watch(tick, over) }()
	for i := range n {
		select {
		case tick <- time.Time{}:
			between(i)
		case h := <-found:
			return h
		}
	}
	select {
	case h := <-found:
		return h
	case over <- struct{}{}:
		return <-found
	}
}

func TestWatchFindsWhoDoesNotComeBack(t *testing.T) {
	var p Pulse
	var th Thread
	th.Attach(nil, "issuer/1", 0, 0, nil)
	p.About("strategy nested", "scenario plain")
	p.Runs(&th)
	h := looks(&p, patience+2, func(int) {})
	require.NotNil(t, h)
	require.Contains(t, h.String(), "strategy nested has not come back to the machine for 10s: thread issuer/1, in scenario plain\n")
}

// A step in ten looks is enough, and the machine's own work may take any time.
func TestWatchSparesTheSlow(t *testing.T) {
	var p Pulse
	var th Thread
	p.Runs(&th)
	require.Nil(t, looks(&p, 8*patience, func(i int) {
		if i%(patience-1) == 0 {
			p.Beat()
		}
	}))
	p.Runs(nil)
	require.Nil(t, looks(&p, 8*patience, func(int) {}))
}
