// Package rt is what a recorded program carries: the layout of its mapped file,
// and the sources that the build overlay adds to the standard library. The
// sources are text here: they compile only inside the packages that they are
// added to.
package rt

import (
	_ "embed"
	"unsafe"
)

// The layout's types and sizes, for the reader.
type (
	Header   = hostlockHeader
	Cell     = hostlockCell
	Site     = hostlockSite
	Instance = hostlockInstance
	Sum      = hostlockSum
)

// Sizes and kinds, as the layout has them.
const (
	Magic      = hostlockMagic
	Sites      = hostlockSites
	Instances  = hostlockInstances
	TextSize   = hostlockTextSize
	HeaderSize = hostlockHeaderSize
	Buckets    = hostlockBuckets

	Mutex = hostlockMutex
	Write = hostlockWrite
	Read  = hostlockRead
	Own   = hostlockOwn

	Running  = hostlockRunning
	Runnable = hostlockRunnable
	IO       = hostlockIO
	Syscall  = hostlockSyscall
	Sleep    = hostlockSleep
	Channel  = hostlockChannel
	Other    = hostlockOther
	Lock     = hostlockLock
	GC       = hostlockGC
	States   = hostlockStates
)

// Bucket is the index of the histogram's bucket that counts ns.
func Bucket(ns int64) int { return hostlockBucket(ns) }

// BucketNs is the range of times that bucket i counts, in ns: from low to below
// high.
func BucketNs(i int) (low, high int64) {
	const sub = 1 << hostlockSubBits
	if i < sub {
		return int64(i), int64(i) + 1
	}
	e := uint(i/sub - 1)
	low = int64(sub+i%sub) << e
	return low, low + 1<<e
}

// Wrapper reports whether a function is a method that takes a lock for its
// caller, as that of a sync.Locker does.
func Wrapper(function string) bool { return hostlockWrapper(function) }

// FileSize is how long the file of a program with so many processors is.
func FileSize(slots int) int {
	return CellsAt + slots*Sites*int(unsafe.Sizeof(Cell{}))
}

// Where the parts of the file begin.
const (
	SitesAt     = HeaderSize
	InstancesAt = SitesAt + Sites*int(unsafe.Sizeof(Site{}))
	TextAt      = InstancesAt + Instances*int(unsafe.Sizeof(Instance{}))
	CellsAt     = TextAt + TextSize
)

// Variables of the recorded program's environment.
const (
	EnvDir      = "HOSTLOCK_RECORD"   // where the mapped files go; recording is off without it
	EnvStretch  = "HOSTLOCK_STRETCH"  // in|out:factor in thousandths:site
	EnvProgress = "HOSTLOCK_PROGRESS" // function whose acquisitions count as operations
)

// Layout, Runtime, Start, SitesFound, Readers, Holds, InternalSync and Sync are the files that the overlay adds.
var (
	//go:embed layout.go
	Layout string
	//go:embed runtime.go.txt
	Runtime string
	//go:embed start.go.txt
	Start string
	//go:embed sites.go.txt
	SitesFound string
	//go:embed readers.go.txt
	Readers string
	//go:embed holds.go.txt
	Holds string
	//go:embed isync.go.txt
	InternalSync string
	//go:embed sync.go.txt
	Sync string
)
