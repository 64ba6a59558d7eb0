package dispatch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLevelIsWeighedByTime(t *testing.T) {
	var l level
	l.add(windowBefore, 3, 5) // before the window: what is there counts, when it came does not
	l.open()
	l.add(windowOpen, 1, 40) // out of order: clocks may be a little ahead
	l.add(windowOpen, -2, 20)
	l.close()
	l.add(windowAfter, 7, 200)
	// From 10 on: 3 for 10, 1 for 20, 2 for 70.
	assert.InDelta(t, (3*10+1*20+2*70)/100.0, l.mean(10, 100), 1e-9)
	assert.Zero(t, l.mean(10, 0))
}

func TestOccupancyKnowsFullFromIdle(t *testing.T) {
	var o occupancy
	for _, l := range o.levels() {
		l.open()
	}
	step := func(at time.Duration, slots int64) {
		o.slots.add(windowOpen, slots, at)
		o.settle(windowOpen, 2, at)
	}
	step(10, 1)
	step(30, 1)
	step(70, -1)
	step(90, -1)
	for _, l := range o.levels() {
		l.close()
	}
	assert.InDelta(t, 0.4, o.full.mean(0, 100), 1e-9, "full from 30 to 70")
	assert.InDelta(t, 0.8, o.work.mean(0, 100), 1e-9, "something to do from 10 to 90")
	assert.InDelta(t, 1.2, o.slots.mean(0, 100), 1e-9)
}
