package dispatch

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"hostlock/dispatch/eh"
	"hostlock/machine"
	"hostlock/machine/layout"
	"hostlock/machine/param"
)

// Config says what to assemble.
type Config struct {
	Strategy string
	Driver   string
	// Params has the mid-layer's and the driver's parameters declared, and the
	// run's values; nil is every default.
	Params *param.Set
	// Hosts is the number of HBAs, Targets that of targets a host, LUNs that of
	// devices a target; each 1 where it is 0.
	Hosts, Targets, LUNs int
	// NoLimitCheck leaves out the counting of commands at the driver's
	// boundary, whose shared counters a live benchmark would measure.
	NoLimitCheck bool
	// Mistake has error handling go wrong on purpose.
	Mistake eh.Mistake
	// Between comes between the path and each host's strategy, to look at what
	// passes; nil is nothing. What it returns must be a Recoverer and a HostLocker
	// where the strategy is.
	Between func(Strategy) Strategy
	// Layout says which fields share a line; nil leaves that to their owners.
	Layout *layout.Layout
}

// System is the assembled mid-layer: hosts with their devices, and the counters
// of a run.
type System struct {
	m          machine.Machine
	cfg        Config
	layout     *layout.Map
	hosts      []*Host
	devices    []*Device
	retries    int
	timeout    time.Duration // of all attempts of a command
	delay      time.Duration
	softirq    machine.IRQ
	done       []doneList
	kblockd    []kblockd
	table      table
	sg         *sgTables
	issuers    issuers
	shared     *hdrhistogram.Histogram // latency, where only one thread runs at a time
	_          [64]byte
	window     atomic.Int32
	_          [64]byte
	duplicates atomic.Int64
	ehCounts   ehCounts

	removedHosts, removedDevices atomic.Int64 // by parameters
	uses                         []*Uses      // of verbs that may cost nothing

	handlesErrors bool
	allowRestart  bool
	trackDepth    bool
	holdTasks     bool          // devices hold so many commands alone: see taskSet
	fullAnswer    time.Duration // TASK SET FULL takes so long
	port          taskSet
	fullTimes     int64
	fulls         atomic.Int64 //lab:free an instrument: TASK SET FULL by a taskSet, in the window
	counts        bool         // occupancy is counted: time is virtual
	sampler       *sampler     // looks at it now and then: time is real
	rampUp        time.Duration
}

// NewParams is a set with the parameters of the mid-layer and of a driver.
func NewParams(driver string) (*param.Set, error) {
	d, err := LookupDriver(driver)
	if err != nil {
		return nil, err
	}
	p := param.New()
	p.Declare(Params()...)
	p.Declare(d.Params...)
	return p, nil
}

// New assembles a system on m, before m runs. Errors name an unknown strategy
// or driver, or say why the two cannot run this configuration.
func New(m machine.Machine, cfg Config) (*System, error) {
	si, err := LookupStrategy(cfg.Strategy)
	if err != nil {
		return nil, err
	}
	di, err := LookupDriver(cfg.Driver)
	if err != nil {
		return nil, err
	}
	if cfg.Params == nil {
		if cfg.Params, err = NewParams(cfg.Driver); err != nil {
			return nil, err
		}
	}
	cfg.Strategy, cfg.Driver = si.Name, di.Name
	for _, n := range []*int{&cfg.Hosts, &cfg.Targets, &cfg.LUNs} {
		if *n < 0 {
			return nil, fmt.Errorf("hosts, targets and LUNs must not be negative")
		}
		*n = max(*n, 1)
	}
	p := cfg.Params
	if err := cfg.group(p); err != nil {
		return nil, err
	}
	machine.About(m, "strategy "+si.Name, "")
	sys := &System{m: m, cfg: cfg, layout: layout.NewMap(cfg.Layout, cfg.Strategy)}
	sys.trackDepth, sys.rampUp = p.Bool("midlayer.track_queue_depth"), p.Duration("midlayer.ramp_up_period")
	sys.fullTimes = int64(p.Int("midlayer.queue_full_times"))
	sys.handlesErrors = p.Bool("midlayer.error_handling")
	// Without an error handler nobody could start a unit.
	sys.allowRestart = sys.handlesErrors && p.Bool("midlayer.allow_restart")
	sys.retries = p.Int("midlayer.retries")
	sys.timeout = p.Duration("midlayer.timeout") * time.Duration(sys.retries+1)
	sys.delay = p.Duration("midlayer.unplug_delay")
	if sys.sg, err = newSGTables(p); err != nil {
		return nil, err
	}
	template := di.Template
	if di.Configure != nil {
		if err := di.Configure(&template, p); err != nil {
			return nil, fmt.Errorf("driver %s: %w", di.Name, err)
		}
	}
	template = template.withParams(p)
	if err := template.check(p); err != nil {
		return nil, fmt.Errorf("driver %s: %w", di.Name, err)
	}
	sys.initSoftirq()
	sys.initKblockd()
	for i := range cfg.Hosts {
		h := sys.newHost(i, di, template, p)
		h.initErrorHandling(p)
		if err := h.differ(p); err != nil {
			return nil, err
		}
		sys.hosts = append(sys.hosts, h)
	}
	sys.initTaskSets(p)
	// Drivers and strategies come once all hosts are there, since either may
	// want to know how many share the machine.
	for _, h := range sys.hosts {
		if h.driver, err = di.New(h, p); err != nil {
			return nil, fmt.Errorf("driver %s: %w", di.Name, err)
		}
		if h.driver == nil {
			return nil, fmt.Errorf("driver %s: New returned no driver", di.Name)
		}
		h.timed, _ = h.driver.(timedDriver)
		if h.strategy, err = si.New(h); err != nil {
			return nil, fmt.Errorf("strategy %s: %w", si.Name, err)
		}
		if h.strategy == nil {
			return nil, fmt.Errorf("strategy %s: New returned no strategy", si.Name)
		}
		if _, is := h.strategy.(Recoverer); is != si.Recovers {
			return nil, fmt.Errorf("strategy %s: %w", si.Name, ErrRecovers)
		}
		h.next = h.Uses("Next", h.strategy)
		if h.own = h.strategy; cfg.Between != nil {
			h.strategy = cfg.Between(h.strategy)
		}
		if h.eh != nil {
			if !si.Recovers {
				return nil, fmt.Errorf("strategy %s cannot run with midlayer.error_handling: %w", si.Name, ErrNoRecoverer)
			}
			h.eh.keeper = h.strategy.(Recoverer)
			h.eh.asks, _ = h.driver.(timeoutDriver)
		}
	}
	switch {
	case m.Name() == "sim":
		sys.counts = true
	case m.Name() == "live" && !cfg.NoLimitCheck:
		sys.sampler = &sampler{sys: sys}
	}
	sys.initRemoval(p)
	return sys, nil
}

func (sys *System) newHost(id int, di DriverInfo, template HostTemplate, p *param.Set) *Host {
	section := di.Section
	if section == "" {
		section = "queuecommand"
	}
	h := &Host{
		ID: id, sys: sys, Template: template, object: sys.layout.Object(),
		MaxDeviceBlocked:  p.Int("midlayer.max_device_blocked"),
		MaxTargetBlocked:  p.Int("midlayer.max_target_blocked"),
		HistoricTargetBug: p.Bool("midlayer.historic_target_bug"),
		strategyName:      sys.cfg.Strategy,
		section:           machine.NewSection(section),
		costs:             newCosts(p),
	}
	h.MaxPhysSegments = sgChainLimit
	if sys.sg.way == sgPools {
		h.MaxPhysSegments = sys.sg.pools[len(sys.sg.pools)-1].size
	}
	h.commands.limit = max(h.Template.CanQueue, 0)
	h.boundary.Class = "commands with the driver"
	h.limit.now.Store(int64(h.Template.CanQueue))
	h.state.Init(h.Own("shost_state").Line("Scsi_Host.shost_state"), uint64(HostRunning))
	capacity := p.Bytes("device.capacity") / SectorSize
	for ti := range sys.cfg.Targets {
		tg := &Target{Index: ti, Host: h, CanQueue: h.Template.TargetCanQueue, object: sys.layout.Object()}
		tg.commands.limit = tg.CanQueue
		for lun := range sys.cfg.LUNs {
			d := &Device{
				ID: len(sys.devices), Index: len(h.Devices), LUN: lun, Host: h, Target: tg,
				QueueDepth: h.Template.QueueDepth, Capacity: capacity, Slower: 1, object: sys.layout.Object(),
			}
			d.commands.limit = d.QueueDepth
			d.depth.now.Store(int64(d.QueueDepth))
			d.initPlug(sys)
			tg.Devices = append(tg.Devices, d)
			h.Devices = append(h.Devices, d)
			sys.devices = append(sys.devices, d)
		}
		h.Targets = append(h.Targets, tg)
	}
	return h
}

// Machine is what the system runs on.
func (sys *System) Machine() machine.Machine { return sys.m }

// Config is what the system was made from, with names in their registered
// spelling and defaults filled in.
func (sys *System) Config() Config { return sys.cfg }

// Hosts lists all hosts.
func (sys *System) Hosts() []*Host { return sys.hosts }

// Devices lists the devices of all hosts, host by host.
func (sys *System) Devices() []*Device { return sys.devices }

// InWindow reports whether the measured window is open, for drivers that
// count.
func (h *Host) InWindow() bool { return h.sys.window.Load() == windowOpen }

// HostCount is how many hosts share the machine with h.
func (h *Host) HostCount() int { return h.sys.cfg.Hosts }

func itoa(n int) string { return strconv.Itoa(n) }
