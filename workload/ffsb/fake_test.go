package ffsb

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/workload"
	"hostlock/workload/ffsb/profile"
)

// fakeDisks is storage of a test's own: it keeps what is written, takes a time
// for each request, and remembers what it was asked.
type fakeDisks struct {
	devs []device
	time time.Duration // for a wait
	// tamper may change what a read returns.
	tamper func(dev int, sector int64, data []byte)

	mu   sync.Mutex
	data map[[2]int64][]byte // by device and sector
	log  []asked
}

// asked is one request.
type asked struct {
	op      dispatch.Op
	dev     int
	sector  int64
	sectors int
}

func newFakeDisks(n int, sectors int64, most int) *fakeDisks {
	f := &fakeDisks{data: map[[2]int64][]byte{}}
	for i := range n {
		f.devs = append(f.devs, device{name: string(rune('a' + i)), sectors: sectors, most: most})
	}
	return f
}

func (f *fakeDisks) devices() []device           { return f.devs }
func (f *fakeDisks) port(t *machine.Thread) port { return &fakePort{disks: f} }

type fakePort struct {
	disks   *fakeDisks
	pending []func()
}

func (p *fakePort) submit(t *machine.Thread, dev int, op dispatch.Op, sector int64, sectors int, data []byte) {
	d := p.disks
	d.mu.Lock()
	d.log = append(d.log, asked{op, dev, sector, sectors})
	d.mu.Unlock()
	if data == nil {
		return
	}
	p.pending = append(p.pending, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		for i := range int64(sectors) {
			key, part := [2]int64{int64(dev), sector + i}, data[i*sectorSize:(i+1)*sectorSize]
			if op == dispatch.Write {
				d.data[key] = append([]byte(nil), part...)
				continue
			}
			clear(part)
			copy(part, d.data[key])
			if d.tamper != nil {
				d.tamper(dev, sector+i, part)
			}
		}
	})
}

func (p *fakePort) wait(t *machine.Thread) error {
	t.Sleep(p.disks.time)
	for _, move := range p.pending {
		move()
	}
	p.pending = p.pending[:0]
	return nil
}

// quick are costs that take hardly any time.
var quick = costs{
	block: machine.Dist{Mean: time.Microsecond}, meta: machine.Dist{Mean: time.Microsecond}, flush: true,
}

// onFakes builds a run of a profile's text on fake disks and a small machine.
func onFakes(t testing.TB, text string, disks *fakeDisks, cost costs) (*sim.Sim, *run, error) {
	t.Helper()
	m, err := sim.New(sim.Config{Cores: 4, Seed: 7, Costs: sim.DefaultCosts()})
	require.NoError(t, err)
	w, err := workload.Parse("test.ffsb", []byte(text))
	require.NoError(t, err)
	r, err := newRun(m, disks, w.(*ffsb).conf, cost, nil)
	return m, r, err
}

// perform carries out one operation so many times on a thread of its own, with
// the window open, and returns what was counted.
func perform(t testing.TB, text string, op profile.Op, times int, disks *fakeDisks) (*run, opTally) {
	t.Helper()
	m, r, err := onFakes(t, text, disks, quick)
	require.NoError(t, err)
	th := newThread(r, r.groups[0], 0)
	r.threads = append(r.threads, th)
	done := 0
	m.Go("ffsb-0", 0, false, func(mt *machine.Thread) {
		th.t, th.port = mt, disks.port(mt)
		r.BeginWindow()
		for range times {
			if th.do(op, r.fs[0]) {
				done++
			}
		}
		r.EndWindow()
		r.idle(mt)
	})
	runFor(t, m, time.Second)
	require.NoError(t, r.Err())
	require.Equal(t, times, done)
	return r, th.tally.ops[op]
}

// runFor runs a machine for a time.
func runFor(t testing.TB, m *sim.Sim, d time.Duration) *machine.Account {
	t.Helper()
	acct, err := m.Run(context.Background(), machine.Course{Duration: d})
	require.NoError(t, err)
	return acct
}
