package fio

import (
	"fmt"
	"time"
)

// Directions of data; trims are refused.
const (
	reads = iota
	writes
)

// blocks are the sizes of one direction.
type blocks struct {
	lo, hi int64
	split  []share // in place of lo to hi, where given
}

// share is one size of a bssplit.
type share struct {
	size    int64
	percent float64 // of the operations
}

// zone is one of random_distribution=zoned: a part of the operations on a part
// of the file, or on so many bytes.
type zone struct {
	access, size float64 // percent
	bytes        int64   // zoned_abs
}

// choice is a random distribution: of offsets, or of files.
type choice struct {
	kind  string // random, zipf, pareto, normal, zoned, zoned_abs
	theta float64
	zones [2][]zone
}

// entry is one option as it was written.
type entry struct {
	opt   *option
	value string
	bare  bool // without =VALUE
	place string
}

// job is one section, before it is cloned.
type job struct {
	name  string
	place string // of its section
	asked []entry

	does        [2]bool
	random      bool
	run         int   // operations in a row before the next random offset (rw=randread:8)
	stride      int64 // bytes skipped after each (rw=read:4k)
	identical   bool  // rw_sequencer
	mix         int   // percent reads
	bs          [2]blocks
	align       [2]int64
	unaligned   bool
	engine      *engine
	depth       int
	batch       int
	low         int // iodepth_low, 0 is depth
	reapMin     int
	reapMax     int
	direct      bool
	size        amount
	ioSize      amount
	fileSize    [2]int64 // lo and hi; 0 is not given
	offset      amount
	increment   amount
	numberIOs   int64
	loops       int
	runtime     time.Duration
	timeBased   bool
	ramp        time.Duration
	delay       [2]time.Duration
	norandommap bool
	percRandom  [2]int
	dist        choice
	files       []string
	directories []string
	format      string
	nrfiles     int
	service     choice // random, roundrobin, sequential, zipf, ...
	serviceRun  int
	rate        [2]float64 // bytes a second; 0 is as fast as it goes
	rateIOPS    [2]float64
	poisson     bool
	think       time.Duration
	thinkSpin   time.Duration
	thinkBlocks int
	thinkIssue  bool
	fsync       int
	fdatasync   int
	endFsync    bool
	sync        bool
	verify      bool
	readBack    bool
	backlog     int64
	clones      int
	stonewall   bool
	waitFor     string
	cpus        []int
	exitAll     bool
	ownGroup    bool // new_group
	together    bool // group_reporting
	errorsOK    [2]bool
	kbBase      int

	jobnum int // of the first clone, over the whole file
	group  int // of the report
}

// newJob has fio's own defaults.
func newJob(name, place string) *job {
	j := &job{
		name: name, place: place,
		does: [2]bool{true, false}, run: 1, mix: 50, depth: 1, batch: 1, reapMin: 1, loops: 1, clones: 1,
		nrfiles: 1, percRandom: [2]int{100, 100}, thinkBlocks: 1, serviceRun: 1, readBack: true,
		dist: choice{kind: "random"}, service: choice{kind: "roundrobin"}, engine: engineNamed("psync"), kbBase: 1024,
	}
	for i := range j.bs {
		j.bs[i] = blocks{lo: 4096, hi: 4096}
	}
	return j
}

// apply carries out the options of a job in their order. kb_base comes first,
// wherever it stands, since it says what the others' numbers mean.
func (j *job) apply() error {
	for pass := range 2 {
		for i := range j.asked {
			e := &j.asked[i]
			if (e.opt.name == "kb_base") != (pass == 0) {
				continue
			}
			if err := e.opt.take(j, e); err != nil {
				return at(e.place, err)
			}
		}
	}
	if err := j.check(); err != nil {
		return at(j.place, fmt.Errorf("job %s: %w", j.name, err))
	}
	return nil
}

// at is where an option of the job was given, or else the job.
func (j *job) at(name string) string {
	place := j.place
	for i := range j.asked {
		if e := &j.asked[i]; e.opt.name == name {
			place = e.place
		}
	}
	return place
}

// largest is the largest block of what the job does.
func (j *job) largest() int64 {
	n := int64(0)
	for d, does := range j.does {
		if does {
			n = max(n, j.bs[d].hi)
		}
	}
	return n
}

// smallest is the smallest.
func (j *job) smallest() int64 {
	n := j.largest()
	for d, does := range j.does {
		if does {
			n = min(n, j.bs[d].lo)
		}
	}
	return n
}

func (j *job) mixed() bool { return j.does[reads] && j.does[writes] }

// async reports whether the job keeps several operations under way: its engine
// does, and it goes round the page cache, since a buffered one is over when it has
// been submitted.
func (j *job) async() bool { return j.engine.async && j.direct }

// check looks at what options say together.
func (j *job) check() error {
	for d, does := range j.does {
		if b := &j.bs[d]; does && !j.engine.null && b.lo%sector != 0 && j.direct {
			return fmt.Errorf("blocks of %d bytes with direct=1; legal: a multiple of %d, a block of every device here", b.lo, sector)
		}
	}
	if j.low == 0 || j.low > j.depth {
		j.low = j.depth
	}
	if j.batch == 0 || j.batch > j.depth {
		j.batch = j.depth
	}
	j.reapMin = min(j.reapMin, j.depth)
	j.reapMax = max(j.reapMax, j.reapMin)
	switch {
	case j.timeBased && j.runtime == 0:
		return fmt.Errorf("time_based without a runtime; legal: runtime=SECONDS beside it")
	case j.dist.kind != "random" && !j.random:
		return fmt.Errorf("random_distribution=%s with offsets in order; legal: rw=randread, randwrite or randrw", j.dist.kind)
	case j.stride != 0 && j.random:
		return fmt.Errorf("a step behind rw and random offsets; legal: rw=randread:N for N in a row")
	case j.rate[reads] > 0 && j.rateIOPS[reads] > 0 || j.rate[writes] > 0 && j.rateIOPS[writes] > 0:
		return fmt.Errorf("rate and rate_iops; legal: one of them")
	case j.poisson && j.rate == [2]float64{} && j.rateIOPS == [2]float64{}:
		return fmt.Errorf("rate_process=poisson without a rate; legal: rate or rate_iops beside it")
	case len(j.files) > 0:
		j.nrfiles = max(j.nrfiles, len(j.files))
		if j.nrfiles > len(j.files) {
			return fmt.Errorf("nrfiles=%d of %d names; legal: as many as filename has", j.nrfiles, len(j.files))
		}
	}
	return nil
}

// maxClones and maxDepth bound a load; what it may have under way in all is
// bounded where it starts.
const (
	maxClones = 1 << 14
	maxDepth  = 1 << 16
	maxBlock  = 1 << 30
	sector    = 512
)
