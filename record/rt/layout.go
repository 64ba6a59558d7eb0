package rt

// The recording of one process, as its mapped file holds it: a header, the
// cells of each processor, the sites, the instances, the text of the frames.
// The same source is injected into the recorded program, so that writer and
// reader cannot differ; hence names that collide with nothing there, sizes that
// are fixed, and no import.

const (
	// hostlockMagic names the layout; another layout has another last digit.
	hostlockMagic = 0x32304b434f4c5448 // "HTLOCK02", little endian

	// A program of half a million lines takes locks at some 2000 places.
	hostlockSites = 4096
	// Instances beyond these are counted, and not told apart.
	hostlockInstances = 32768
	hostlockTextSize  = 2 << 20
	hostlockFrames    = 8

	// Four steps an octave: a quantile is at most 12 % off. 40 octaves are 18
	// minutes.
	hostlockSubBits = 2
	hostlockBuckets = 40 << hostlockSubBits

	hostlockPathSize    = 1024
	hostlockHeaderSize  = 4096
	hostlockCellSize    = 64
	hostlockGoidBits    = 256
	hostlockNestedSlots = 4
)

// Kinds of a site.
const (
	hostlockMutex = iota
	hostlockWrite
	hostlockRead
	hostlockOwn // the recorder's own, from measuring what it costs
)

// What a goroutine does while it holds a lock, but for running.
const (
	hostlockRunning = iota
	hostlockRunnable
	hostlockIO
	hostlockSyscall
	hostlockSleep
	hostlockChannel
	hostlockOther
	hostlockLock
	hostlockGC
	hostlockStates
)

type hostlockHeader struct {
	Magic         uint64
	Size          uint64 // of the file
	Slots         uint64 // processors with cells of their own
	Pid           uint64
	Started       int64 // ns, the runtime's clock
	Seen          int64 // ns, when the frame was last written
	Ended         uint64
	Procs         uint64
	FirstCPU      int64 // ns of the process when recording began: what replaces itself keeps its CPU time
	CPU           int64 // ns of the process
	UserCPU       int64 // ns of the process
	Cycles        uint64
	GCCPU         int64 // ns, by the runtime's own estimate
	MutexNs       int64 // /sync/mutex/wait/total, in ns
	FirstSwitches int64
	Switches      int64 // involuntary

	ClockNs    int64  // between two readings of the clock
	PlainPs    int64  // ps that an acquisition costs that is not timed
	SampledPs  int64  // ps that a timed one costs
	Lost       uint64 // acquisitions at sites beyond the table
	Dropped    uint64 // samples whose place in the side table was taken
	Stale      uint64 // holds in the side table that never ended
	Instances  uint64 // samples of instances beyond the table
	SitesUsed  uint64
	TextUsed   uint64
	FrameLock  uint64
	Goroutines uint64 // when the frame was last written
	Command    [hostlockPathSize]byte
	Go         [64]byte
}

// hostlockCell is what one processor counts of one site, a cache line long.
type hostlockCell struct {
	Acquisitions uint64
	Contended    uint64
	WaitNs       uint64
	TryFailed    uint64
	LastNs       int64  // of the last sample
	Countdown    uint32 // acquisitions to the next sample
	Gap          uint32 // mean between two
	Drawn        uint32 // the mean that the running gap was drawn with
	_            uint32
	_            uint64
}

type hostlockSum struct {
	N  uint64
	Ns uint64
}

type hostlockNest struct {
	Site uint64 // plus one
	Ns   uint64
}

// hostlockSite is one call of one method, with what its samples add up to. A
// sample counts for the mean gap that it was drawn with.
type hostlockSite struct {
	Key     uint64
	Kind    uint32
	Stretch uint32 // bit 0: stretched, bit 1: names the operation that counts
	Text    uint32 // offset of the frames: function \x00 file \x00 line \x00, innermost first
	Length  uint32
	Samples uint64
	Weight  uint64
	HoldNs  uint64                  // times weight
	Split   [hostlockStates]uint64  // ns times weight
	Hold    [hostlockBuckets]uint64 // weights
	Wait    [hostlockBuckets]uint64
	MaxHold uint64
	MaxWait uint64
	Same    hostlockSum // held after a holder on the same processor
	Other   hostlockSum
	// Of the wait: with the goroutine parked, and runnable.
	Parked   uint64
	Runnable uint64
	Foreign  uint64 // released by another goroutine
	Windows  uint64 // spans between two writers in which every reader was timed
	Reads    hostlockSum
	Nested   [hostlockNestedSlots]hostlockNest
	Goids    [hostlockGoidBits / 64]uint64
	Missed   uint64 // holds that were to be stretched, and were not
}

// hostlockInstance is one lock as one site takes it.
type hostlockInstance struct {
	Addr    uint64
	Site    uint64 // plus one
	Samples uint64
	Weight  uint64
	HoldNs  uint64 // times weight
	Waits   uint64
	WaitNs  uint64
}

// hostlockBucket is where ns is counted.
func hostlockBucket(ns int64) int {
	if ns < 1<<hostlockSubBits {
		if ns < 0 {
			ns = 0
		}
		return int(ns)
	}
	e := 0
	for v := uint64(ns) >> (hostlockSubBits + 1); v != 0; v >>= 1 {
		e++
	}
	// ns>>e lies within [4,8).
	i := (e+1)<<hostlockSubBits + int(uint64(ns)>>uint(e)) - 1<<hostlockSubBits
	if i >= hostlockBuckets {
		i = hostlockBuckets - 1
	}
	return i
}

// hostlockWrapper reports whether a function is a method that takes a lock for
// its caller: whoever calls it is told, or else all who share a Locker of the
// program's own would be one site.
func hostlockWrapper(name string) bool {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '.' {
			switch name[i+1:] {
			case "Lock", "TryLock", "RLock", "TryRLock":
				// Of a type: a function of a package is pkg.Lock, and a method that
				// is no pointer's is pkg.Type.Lock.
				for j := i - 1; j >= 0 && name[j] != '/'; j-- {
					if name[j] == '.' {
						return true
					}
				}
			}
			return false
		}
	}
	return false
}
