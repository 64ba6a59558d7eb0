package bound_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/experiment/bound"
	"hostlock/experiment/spec"
	_ "hostlock/lab" // strategies, drivers, workloads
	"hostlock/machine/param"
	"hostlock/machine/sim"
	"hostlock/results"
)

// kinds are what the random configurations are made scarce of, in turn.
var kinds = []string{"host", "device slots", "cpu", "lock", "device", "load", "driver", "two at once"}

// config is one random host with its load.
type config struct {
	kind           string
	strategy       string
	cores, threads int
	luns           int
	set            map[string]float64 // numbers, and nanoseconds of times
}

// random draws a configuration: everything from wide ranges, and what its kind
// says from the scarce end, so that each kind of bound comes up. Numbers are
// multiples of four, so that a quarter more of them is a number.
func random(kind string, rng *rand.Rand) config {
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	fours := func(lo, hi float64) float64 { return 4 * math.Round(between(lo, hi)/4) }
	pick := func(names ...string) string { return names[rng.IntN(len(names))] }
	c := config{
		kind: kind, strategy: pick("host-lock", "unlocked-qcmds", "per-queue", "ring"),
		cores: int(fours(8, 32)), threads: int(fours(32, 160)), luns: int(fours(4, 24)), set: map[string]float64{},
	}
	s := c.set
	s["host.can_queue"], s["host.cmd_per_lun"] = fours(128, 512), 64
	s["mptsas.device_latency"] = between(200e3, 1e6)
	s["fs.cpu"], s["midlayer.io_completion"] = between(5e3, 60e3), between(1e3, 5e3)
	s["midlayer.section"], s["mptsas.queuecommand"] = between(50, 200), between(300, 1000)
	s["mptsas.coalesce_time"] = 0
	// Two gains may be one point apart, and times that vary little let a few
	// thousand commands tell them apart.
	s["mptsas.device_cv"], s["fs.cv"] = 0.1, 0.1
	switch kind {
	case "host":
		s["host.can_queue"] = fours(8, 48)
	case "device slots":
		s["host.cmd_per_lun"], c.luns = fours(4, 8), int(between(2, 5))
	case "cpu":
		c.cores, s["fs.cpu"] = int(fours(4, 16)), between(100e3, 400e3)
	case "lock":
		c.strategy = pick("host-lock", "unlocked-qcmds")
		s["midlayer.section"], s["fs.cpu"] = between(1.5e3, 4e3), between(5e3, 20e3)
	case "device":
		s["mptsas.device_channels"], c.luns = math.Round(between(1, 4)), int(between(2, 8))
	case "load":
		c.threads = int(fours(4, 24))
	case "driver":
		c.strategy = pick("per-queue", "ring")
		s["mptsas.mmio_read"], s["mptsas.reply"] = between(1e3, 4e3), between(1e3, 4e3)
		s["fs.cpu"], s["mptsas.device_latency"] = between(2e3, 10e3), between(50e3, 200e3)
	case "two at once": // processors and devices come to the same rate
		c.cores, s["fs.cpu"] = 4, between(50e3, 100e3)
		s["mptsas.device_channels"] = 4
		c.strategy, c.threads = pick("per-queue", "ring"), 160
		perCommand := (s["fs.cpu"] + 12e3) / float64(c.cores)
		s["mptsas.device_latency"] = perCommand * 4 * float64(c.luns)
	}
	return c
}

func (c config) String() string {
	names := make([]string, 0, len(c.set))
	for n := range c.set {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s cores=%d threads=%d luns=%d", c.kind, c.strategy, c.cores, c.threads, c.luns)
	for _, n := range names {
		fmt.Fprintf(&b, " %s=%.4g", n, c.set[n])
	}
	return b.String()
}

func (c config) with(change func(*config)) config {
	d := c
	d.set = map[string]float64{}
	for n, v := range c.set {
		d.set[n] = v
	}
	change(&d)
	return d
}

// times is the configuration with numbers multiplied.
func (c config) times(f float64, names ...string) config {
	return c.with(func(d *config) {
		for _, n := range names {
			d.set[n] *= f
		}
	})
}

func (c config) run(ctx context.Context, warmup, window time.Duration) (*results.Result, error) {
	s, err := spec.Load("host-lock")
	if err != nil {
		return nil, err
	}
	s.LUNsPerHBA, s.Sockets, s.Cores = c.luns, 1, c.cores
	r := experiment.Request{Machine: "sim", Strategy: c.strategy, Cores: c.cores, Threads: c.threads, Duration: window, Warmup: warmup}
	for n, v := range c.set {
		if n == "host.cmd_per_lun" {
			v = min(v, math.Round(c.set["host.can_queue"])) // more is not legal
		}
		text := strconv.FormatFloat(v, 'f', 3, 64) + "ns"
		switch {
		case slices.Contains([]string{"host.can_queue", "host.cmd_per_lun", "mptsas.device_channels"}, n):
			text = strconv.Itoa(int(math.Round(v)))
		case strings.HasSuffix(n, "cv"):
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		r.Set = append(r.Set, param.Setting{Name: n, Value: text, At: param.SetFlag})
	}
	slices.SortFunc(r.Set, func(a, b param.Setting) int { return strings.Compare(a.Name, b.Name) })
	plan, err := experiment.NewPlan(s, r)
	if err != nil {
		return nil, err
	}
	return experiment.Run(ctx, plan, experiment.Options{})
}

// lineCosts are the costs of cache lines, which make up the hold and the hand-over of
// a lock whose sections do little work.
func lineCosts() map[string]float64 {
	p := param.New()
	p.Declare(sim.Params()...)
	out := map[string]float64{}
	for _, v := range p.Values() {
		name := strings.TrimPrefix(v.Name, "cost.")
		if name == "rmw" || name == "same_socket" || name == "cross_socket" || strings.HasPrefix(name, "occupancy") {
			out[v.Name] = v.Num
		}
	}
	return out
}

// trials is the configuration with a quarter more of each resource.
func (c config) trials() map[string]config {
	const more, less = bound.More, 1 / bound.More
	out := map[string]config{
		bound.Load:         c.with(func(d *config) { d.threads = int(math.Round(more * float64(d.threads))) }),
		bound.CPU:          c.with(func(d *config) { d.cores = int(math.Round(more * float64(d.cores))) }),
		bound.CanQueue:     c.times(more, "host.can_queue"),
		"host.cmd_per_lun": c.times(more, "host.cmd_per_lun"),
		bound.Device:       c.times(less, "mptsas.device_latency"),
		"mptsas.irq_core": c.with(func(d *config) {
			for n, v := range map[string]float64{"mptsas.mmio_read": 700, "mptsas.reply": 300, "cost.irq_entry": 500, "cost.irq_exit": 300} {
				if own, ok := d.set[n]; ok {
					v = own
				}
				d.set[n] = v * less
			}
		}),
	}
	lock := func(class string, work ...string) {
		out[class] = c.with(func(d *config) {
			for n, v := range lineCosts() {
				d.set[n] = v * less
			}
			for _, n := range work {
				d.set[n] *= less
			}
		})
	}
	switch c.strategy {
	case "host-lock":
		lock("host_lock", "midlayer.section", "mptsas.queuecommand")
	case "unlocked-qcmds":
		lock("host_lock", "midlayer.section")
	}
	return out
}

// verdict is one configuration, judged.
type verdict struct {
	config
	said  *results.Bound
	gains map[string]float64 // measured, percent
	best  string
}

// Windows, in commands: a short one for all trials, and a long one for those that a
// short one cannot tell apart, since it scatters by a point and more. Each comes
// after as many rounds of all threads as it takes to fill every queue.
const (
	short   = 800
	long    = 6000
	rounds  = 4
	scatter = 4.0 // points, of a short window
	still   = 0.5 // of a long one
)

// judge tries a quarter more of each resource.
func judge(ctx context.Context, c config) (v verdict, err error) {
	v = verdict{config: c, gains: map[string]float64{}}
	all := c.trials()
	first, err := c.run(ctx, time.Millisecond, 10*time.Millisecond)
	if err != nil {
		return v, err
	}
	commands := func(n int) time.Duration { return time.Duration(float64(n) / first.IOPS * 1e9) }
	try := func(n int, names []string) error {
		warmup, window := commands(rounds*c.threads), commands(n)
		r, err := c.run(ctx, warmup, window)
		if err != nil {
			return err
		}
		v.said, v.best = r.Bound, ""
		for _, by := range names {
			found, err := all[by].run(ctx, warmup, window)
			if err != nil {
				return fmt.Errorf("%s: %w", by, err)
			}
			v.gains[by] = 100 * (found.IOPS/r.IOPS - 1)
			if v.best == "" || v.gains[by] > v.gains[v.best] {
				v.best = by
			}
		}
		return nil
	}
	if err := try(short, slices.Sorted(maps.Keys(all))); err != nil {
		return v, err
	}
	var close []string
	for by, gain := range v.gains {
		if gain > v.gains[v.best]-scatter && gain > 0 {
			close = append(close, by)
		}
	}
	if slices.Sort(close); len(close) > 1 || v.gains[v.best] < bound.Least+scatter {
		return v, try(long, close)
	}
	return v, nil
}

// right is that a quarter more of what was named raises the rate more than a
// quarter more of anything else, or that nothing was named where nothing gives 3 %,
// as near as a long window can tell.
func (v verdict) right() bool {
	if v.said.By == bound.None {
		return v.gains[v.best] < bound.Least+still
	}
	return v.gains[v.said.By] >= max(v.gains[v.best], bound.Least)-still
}

// TestBoundIsRight holds what is worked out from one run against trials: over
// forty random configurations, more of what is named must give most. Over 160 others
// it was right for 156: of the misses two took a device's latency for the slots that
// it fills, within a point, and two a load for a lock near its knee.
func TestBoundIsRight(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 2 * len(kinds)
	}
	rng := rand.New(rand.NewPCG(12, 40))
	configs := make([]config, n)
	for i := range configs {
		configs[i] = random(kinds[i%len(kinds)], rng)
	}
	verdicts := make([]verdict, n)
	require.NoError(t, experiment.Each(t.Context(), n, nil, func(ctx context.Context, i int) (err error) {
		verdicts[i], err = judge(ctx, configs[i])
		return err
	}))
	right, named := 0, map[string]int{}
	for i, v := range verdicts {
		mark := "miss"
		if v.right() {
			right++
			mark = "ok  "
			named[v.said.By]++
		}
		var gains []string
		for _, by := range slices.Sorted(maps.Keys(v.gains)) {
			gains = append(gains, fmt.Sprintf("%s %.1f", by, v.gains[by]))
		}
		t.Logf("%2d %s said %s (%.0f %%: %s; gives %.1f), best %s; measured %s\n   %s", i, mark, v.said.By, v.said.Reached, v.said.Why, v.said.Gain, v.best, strings.Join(gains, ", "), v.config)
	}
	t.Logf("%d of %d right: %v", right, n, named)
	// The one that may miss is at the edge: nothing is named where the devices would
	// give 3 to 4 %, as a window of this length has it.
	assert.GreaterOrEqual(t, right, n-1)
	for _, by := range []string{bound.CanQueue, "host.cmd_per_lun", bound.CPU, "host_lock", bound.Device, bound.Load, "mptsas.irq_core"} {
		assert.NotZero(t, named[by], by)
	}
}

// TestOccupancyOfARun holds what is counted against what must be.
func TestOccupancyOfARun(t *testing.T) {
	c := random("load", rand.New(rand.NewPCG(1, 1)))
	c.threads, c.luns = 32, 8
	c.set["host.can_queue"], c.set["host.cmd_per_lun"] = 8, 8
	c.set["fs.cpu"], c.set["mptsas.device_latency"] = 5e3, 500e3
	r, err := c.run(t.Context(), 5*time.Millisecond, 50*time.Millisecond)
	require.NoError(t, err)
	assert.Greater(t, r.Occupancy.HostFull, 90.0)
	assert.LessOrEqual(t, r.Occupancy.InFlight, 8.01)
	assert.Equal(t, bound.CanQueue, r.Bound.By)

	c.set["host.can_queue"], c.set["host.cmd_per_lun"] = 128, 2
	r, err = c.run(t.Context(), 5*time.Millisecond, 50*time.Millisecond)
	require.NoError(t, err)
	assert.Zero(t, r.Occupancy.HostFull)
	assert.Greater(t, r.Occupancy.DeviceFull, 50.0)
	assert.LessOrEqual(t, r.Occupancy.InFlight, 16.01)

	c.set["host.cmd_per_lun"] = 64
	r, err = c.run(t.Context(), 5*time.Millisecond, 50*time.Millisecond)
	require.NoError(t, err)
	assert.Zero(t, r.Occupancy.DeviceFull)
	assert.Equal(t, bound.Load, r.Bound.By)
	// Little: what is on its way is the rate times how long it takes.
	assert.InEpsilon(t, r.IOPS*r.Latency.Mean/1e6, r.Occupancy.InFlight, 0.1)
}
