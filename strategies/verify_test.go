package strategies_test

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/dispatch/tally"
	"hostlock/machine"
)

// verifiers adds threads that each write numbered blocks to a part of the
// devices that is theirs, several at a time, and read them back.
func verifiers(t *testing.T, m machine.Machine, sys *dispatch.System, n, rounds int) {
	for i := range n {
		m.Go("verifier-"+strconv.Itoa(i), i%m.Cores(), false, func(th *machine.Thread) {
			verify(t, th, sys, i, rounds)
			for !m.Stopping() {
				th.Sleep(time.Millisecond)
			}
		})
	}
}

// verifiersUntilDone is verifiers for a run without a window, and counts those
// that have come to their end.
func verifiersUntilDone(t *testing.T, m machine.Machine, sys *dispatch.System, n, rounds int) *atomic.Int64 {
	done := new(atomic.Int64)
	for i := range n {
		m.Go("verifier-"+strconv.Itoa(i), i%m.Cores(), false, func(th *machine.Thread) {
			verify(t, th, sys, i, rounds)
			done.Add(1)
		})
	}
	return done
}

// verify is one thread's rounds: two writes at a time, and a read of anything
// that it has written before, or never.
func verify(t *testing.T, th *machine.Thread, sys *dispatch.System, i, rounds int) {
	const blocks, sectors = 32, 8
	iss := sys.NewIssuer(th)
	var want [blocks]uint64
	buf := make([]byte, sectors*dispatch.SectorSize)
	at := func(b int) (*dispatch.Device, int64) {
		devs := sys.Devices()
		return devs[b%len(devs)], int64(i*blocks+b) * sectors * 37
	}
	fill := func(b []byte, stamp uint64) {
		for o := 0; o < len(b); o += 8 {
			binary.LittleEndian.PutUint64(b[o:], stamp+uint64(o))
		}
	}
	expect := make([]byte, len(buf))
	write := [2][]byte{make([]byte, len(buf)), make([]byte, len(buf))}
	for r := range rounds {
		var rqs [2]*dispatch.Request
		for k := range rqs {
			b := (th.Rand().IntN(blocks/2))*2 + k
			want[b] = uint64(i)<<48 | uint64(r)<<24 | uint64(b)<<13
			fill(write[k], want[b])
			dev, sector := at(b)
			rqs[k] = iss.Request(dev, dispatch.Write, sector, sectors, 1, write[k])
			iss.Submit(th, rqs[k])
		}
		for _, rq := range rqs {
			if err := iss.Wait(th, rq); err != nil {
				t.Error(err)
			}
		}
		b := th.Rand().IntN(blocks)
		dev, sector := at(b)
		if err := iss.Do(th, dev, dispatch.Read, sector, sectors, 1, buf); err != nil {
			t.Error(err)
		}
		clear(expect)
		if want[b] != 0 {
			fill(expect, want[b])
		}
		if !bytes.Equal(expect, buf) {
			t.Errorf("thread %d, round %d: block %d holds something else", i, r, b)
		}
	}
}

func TestRamdiskGivesBackWhatWasWritten(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		m, sys := setup{strategy: strategy, driver: "ramdisk", cores: 8, targets: 3, set: set{
			"host.can_queue": "6", "ramdisk.host_busy_rate": "0.01", "ramdisk.retry_rate": "0.02", "ramdisk.device_busy_rate": "0.01"}}.make(t)
		verifiers(t, m, sys, 12, 60)
		run(t, m, sys, 200*time.Millisecond)
		l := closed(t, sys)
		require.EqualValues(t, 12*60*3, l.Completed)
		require.Positive(t, l.Requeued)
	})
}

func TestSameSeedSameRun(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		var events [2]int64
		var done [2]tally.WindowCounts
		for i := range events {
			m, sys := setup{strategy: strategy, cores: 16, targets: 4, seed: 7, set: set{"host.can_queue": "9", "mptsas.coalesce_time": "40us"}}.make(t)
			writers(m, sys, 24, 5*time.Microsecond)
			events[i] = run(t, m, sys, 20*time.Millisecond).Events
			closed(t, sys)
			done[i] = sys.Window()
		}
		require.Equal(t, events[0], events[1])
		require.Equal(t, done[0].PerIssuer, done[1].PerIssuer)
		require.Equal(t, done[0].Latency.Export(), done[1].Latency.Export())
	})
}
