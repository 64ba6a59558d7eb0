package profile

import "time"

// Generation is the kind of FFSB profile that a file holds.
type Generation int

// The generations; doc.go of this package tells them apart.
const (
	GenA Generation = iota + 1 // flat, FFSB up to 4.x
	GenB                       // ordered, FFSB 5.0 to 5.2.1
	GenC                       // recursive, FFSB 6.0
)

// String names the generation and the FFSB that wrote it.
func (g Generation) String() string {
	switch g {
	case GenA:
		return "A (flat, FFSB 4.x)"
	case GenB:
		return "B (ordered, FFSB 5.x)"
	case GenC:
		return "C (recursive, FFSB 6.0)"
	}
	return "unknown"
}

// Value is a setting and the place that gave it. V always holds what counts,
// a default included. A value that generation B inherits, or that clone
// copies, keeps the place where it was first written.
type Value[T any] struct {
	V   T
	Pos Pos // zero for a default
}

// IsSet reports whether a file gave the value.
func (v Value[T]) IsSet() bool { return v.Pos.IsValid() }

// Profile is one FFSB benchmark. Counts are plain numbers, sizes are bytes.
type Profile struct {
	Name       string     // the file, as given to Parse
	Generation Generation // what Parse saw

	// Time is how long the groups run; whole seconds. 0 means that FFSB only
	// builds the fileset. Generation A has none: see ThreadGroup.Iterations.
	Time     Value[time.Duration]
	DirectIO Value[bool]   // O_DIRECT, but not while the fileset is built; implies alignment, see Aligned
	AlignIO  Value[bool]   // random offsets on 4096 bytes
	BufferIO Value[bool]   // stdio; without effect in FFSB
	Callout  Value[string] // command to run before the groups start

	Filesystems []Filesystem // at least one after Parse
	Groups      []ThreadGroup

	// Warnings are what FFSB does with this file that may surprise, each
	// "file:line: text" on one line, in the order of the file.
	Warnings []string
}

// BuildOnly reports whether FFSB would only build the fileset: no time given
// and no iterations either.
func (p *Profile) BuildOnly() bool {
	if p.Time.V > 0 {
		return false
	}
	for i := range p.Groups {
		if p.Groups[i].Iterations.V > 0 {
			return false
		}
	}
	return true
}

// Aligned reports whether random offsets lie on 4096 bytes: alignio, or
// directio, which turns it on.
func (p *Profile) Aligned() bool { return p.AlignIO.V || p.DirectIO.V }

// TotalThreads returns the number of threads of all groups; ageing threads,
// which end before the groups start, are not among them.
func (p *Profile) TotalThreads() int {
	n := 0
	for i := range p.Groups {
		n += p.Groups[i].NumThreads.V
	}
	return n
}

// DefaultBlocksize is what create_blocksize and age_blocksize are when they
// are missing or 0, in bytes.
const DefaultBlocksize = 4096

// Filesystem is a directory tree and the files that FFSB starts it with.
//
// NumFiles decides how many; if it is 0, InitSize does, then InitUtil; if all
// are 0 there are no files at first.
type Filesystem struct {
	Pos      Pos // of the section's header; in generation A of the location
	Location Value[string]

	NumFiles Value[int]
	NumDirs  Value[int]
	InitSize Value[int64]   // create files until they hold so many bytes
	InitUtil Value[float64] // create files until the disk is so full, 0 to 1

	// A file's size is drawn from SizeWeights, or if there are none evenly
	// from MinSize up to MaxSize, bytes.
	MinSize     Value[int64]
	MaxSize     Value[int64]
	SizeWeights []SizeWeight // in FFSB's own order: generation C's file order reversed

	CreateBlocksize Value[int64] // bytes a write while building; DefaultBlocksize unless given
	AgeBlocksize    Value[int64] // bytes a write while ageing; DefaultBlocksize unless given

	Reuse Value[bool] // keep a fileset that is already there

	// Age is the group that ages the disk before the benchmark until it is
	// DesiredUtil full (0 to 1); nil without agefs=1.
	Age         *ThreadGroup
	DesiredUtil Value[float64]
}

// SizeWeight is one possible file size. It is drawn with probability Weight
// over the sum of all weights.
type SizeWeight struct {
	Size   int64 // bytes
	Weight int
	Pos    Pos
}

// MinFileSize returns the smallest size that a new file can get, in bytes.
func (f *Filesystem) MinFileSize() int64 {
	least, _ := f.fileSizes()
	return least
}

// MaxFileSize returns the largest size that a new file can get, in bytes.
func (f *Filesystem) MaxFileSize() int64 {
	_, most := f.fileSizes()
	return most
}

func (f *Filesystem) fileSizes() (least, most int64) {
	if len(f.SizeWeights) == 0 {
		return f.MinSize.V, f.MaxSize.V
	}
	least = -1
	for _, w := range f.SizeWeights {
		if w.Weight == 0 {
			continue
		}
		if least < 0 || w.Size < least {
			least = w.Size
		}
		most = max(most, w.Size)
	}
	return max(least, 0), most
}

// HasFiles reports whether the filesystem starts with files.
func (f *Filesystem) HasFiles() bool {
	return f.NumFiles.V > 0 || f.InitSize.V > 0 || f.InitUtil.V > 0
}

// AnyFS is the BindFS of a group whose operations each pick a filesystem,
// all equally likely.
const AnyFS = -1

// ThreadGroup is a number of threads that all do the same.
type ThreadGroup struct {
	Pos        Pos // of the section's header
	NumThreads Value[int]
	BindFS     Value[int] // index into Profile.Filesystems, or AnyFS

	ReadSize      Value[int64] // bytes an operation
	ReadBlocksize Value[int64] // bytes a system call
	ReadSkipsize  Value[int64] // bytes passed over after each block, with ReadSkip
	ReadRandom    Value[bool]  // seek to a random place before each block
	ReadSkip      Value[bool]

	WriteSize      Value[int64] // bytes an operation
	WriteBlocksize Value[int64] // bytes a system call
	WriteRandom    Value[bool]

	OpDelay    Value[time.Duration] // sleep after each operation; whole milliseconds
	Iterations Value[int]           // operations a thread; generation A only, else 0

	Weights [NumOps]Value[int] // by Op
	Stats   Stats
}

// TotalWeight returns the sum of the weights, at least 1 after Parse.
func (g *ThreadGroup) TotalWeight() int {
	sum := 0
	for _, w := range g.Weights {
		sum += w.V
	}
	return sum
}

// Does reports whether the group may carry out any of the operations.
func (g *ThreadGroup) Does(ops ...Op) bool {
	for _, op := range ops {
		if g.Weights[op].V > 0 {
			return true
		}
	}
	return false
}

// Stats says what FFSB measures of a group's system calls.
type Stats struct {
	Pos         Pos // of the section's header; zero without one
	Enable      Value[bool]
	EnableRange Value[bool] // count into Ranges; in generation B wherever there are any
	Ignore      []Value[Syscall]

	// Ranges are in the order in which FFSB tries them, the first match
	// counting: generation C's file order reversed.
	Ranges []Range
}

// Ignores reports whether calls of s are left out.
func (s *Stats) Ignores(call Syscall) bool {
	for _, v := range s.Ignore {
		if v.V == call {
			return true
		}
	}
	return false
}

// Range is a bin for the duration of a system call, both ends included, in
// whole microseconds, as FFSB keeps it.
type Range struct {
	Lo, Hi time.Duration
	Pos    Pos
}
