package profiles

import (
	"path"
	"runtime"
	"strconv"
	"strings"

	"hostlock/results"
)

// The packages whose frames are the machine's and not the code's under study.
const (
	machinePackage = "hostlock/machine"
	simPackage     = "hostlock/machine/sim"
	explorePackage = "hostlock/machine/explore"
)

// frame is one function on a stack, as text: nothing in it depends on where
// the program was built or loaded, nor on what its compiler chose to inline.
type frame struct {
	name string
	file string
	line int
}

func (f frame) key() string {
	return f.name + "\x00" + f.file + "\x00" + strconv.Itoa(f.line) + "\x01"
}

// symbolise turns program counters, leaf first as runtime.Callers gives them,
// into frames without the machine's own.
func symbolise(pcs []uintptr) []frame {
	if len(pcs) == 0 {
		return nil
	}
	frames := make([]frame, 0, len(pcs))
	iter := runtime.CallersFrames(pcs)
	for {
		f, more := iter.Next()
		if f.Function != "" {
			frames = append(frames, frame{
				name: f.Function,
				file: sourceFile(f.Function, f.File),
				line: f.Line,
			})
		}
		if !more {
			break
		}
	}
	// The root first: what is left of package machine then is at the leaf.
	return trimLeaf(trimRoot(frames))
}

// sourceFile names a source file by its package and base name, so that the
// name is the same whatever the checkout path, GOROOT, or -trimpath.
func sourceFile(function, file string) string {
	if file == "" {
		return ""
	}
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	pkg := packageOf(function)
	if strings.HasSuffix(base, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test")
	}
	return path.Join(pkg, base)
}

// packageOf is the import path in a symbol name such as
// "hostlock/dispatch.(*Host).RequestFn".
func packageOf(function string) string {
	// Type arguments may hold import paths of their own.
	head := function
	if i := strings.IndexByte(head, '['); i >= 0 {
		head = head[:i]
	}
	slash := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[slash:], '.')
	if dot < 0 {
		return head
	}
	// The linker escapes dots in the last element of an import path.
	return strings.ReplaceAll(head[:slash+dot], "%2e", ".")
}

// trimLeaf cuts off how the machine came to be called. Code under study
// always enters it through a function of package machine, so everything below
// the first of these is the machine's; above it, out-of-line halves of that
// package and methods of Thread say nothing that the caller or the synthetic
// leaf does not.
func trimLeaf(frames []frame) []frame {
	start := 0
	for i, f := range frames {
		if packageOf(f.name) == machinePackage {
			start = i
			break
		}
	}
	for start < len(frames) && isPlumbing(frames[start].name) {
		start++
	}
	return frames[start:]
}

func isPlumbing(name string) bool {
	switch packageOf(name) {
	case simPackage, explorePackage, "runtime", "iter":
		return true
	case machinePackage:
		rest := strings.TrimPrefix(name, machinePackage+".")
		if strings.HasPrefix(rest, "(*Thread).") || strings.HasPrefix(rest, "(*Live).") {
			return true
		}
		method := rest[strings.LastIndexByte(rest, '.')+1:]
		return method != "" && method[0] >= 'a' && method[0] <= 'z'
	}
	return false
}

// trimRoot cuts off what runs a thread: the coroutine or goroutine and the
// machine's loop on it.
func trimRoot(frames []frame) []frame {
	end := len(frames)
	for end > 0 && isRunner(frames[end-1].name) {
		end--
	}
	return frames[:end]
}

func isRunner(name string) bool {
	switch packageOf(name) {
	case "runtime", "iter", machinePackage, simPackage, explorePackage:
		return true
	}
	return false
}

// stack is the frames of one place of the call path.
type stack struct {
	frames []frame // leaf first
	key    string  // equal for equal frames
}

// stacks symbolises each list of program counters once, and gives places that
// look alike the same stack.
type stacks struct {
	byPCs map[string]*stack
	byKey map[string]*stack
	buf   []byte
}

func newStacks() *stacks {
	return &stacks{byPCs: map[string]*stack{}, byKey: map[string]*stack{}}
}

func (s *stacks) of(pcs []uintptr) *stack {
	s.buf = s.buf[:0]
	for _, pc := range pcs {
		for shift := 0; shift < 64; shift += 8 {
			s.buf = append(s.buf, byte(uint64(pc)>>shift))
		}
	}
	if st, ok := s.byPCs[string(s.buf)]; ok {
		return st
	}
	frames := symbolise(pcs)
	var key strings.Builder
	for i := len(frames) - 1; i >= 0; i-- {
		key.WriteString(frames[i].key())
	}
	st, ok := s.byKey[key.String()]
	if !ok {
		st = &stack{frames: frames, key: key.String()}
		s.byKey[st.key] = st
	}
	s.byPCs[string(s.buf)] = st
	return st
}

// pathOf is the measured path that a Go function is, or is a closure of; ""
// for any other function.
func pathOf(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	for name != "" {
		var part string
		part, name, _ = strings.Cut(name, ".")
		part, _, _ = strings.Cut(part, "[")
		switch strings.TrimSuffix(part, "-fm") {
		case "DispatchCmd":
			return results.DispatchCmd
		case "DeviceUnbusy":
			return results.DeviceUnbusy
		case "RequestFn":
			return results.RequestFn
		case "RunQueue":
			return results.RunQueue
		}
	}
	return ""
}

// methodOf is the method name if function is a method of the given pointer
// type of package machine, whatever the module is called.
func methodOf(function, typ string) (string, bool) {
	prefix := "machine.(*" + typ + ")."
	i := strings.Index(function, prefix)
	if i < 0 || i > 0 && function[i-1] != '/' {
		return "", false
	}
	return function[i+len(prefix):], true
}

// isSpin reports whether a function of a real stack does nothing but wait for
// a spinlock. It is looked for anywhere on a stack: what it calls is waiting
// too. The rest of the slow path, which also times holds, is work.
func isSpin(function string) bool {
	m, ok := methodOf(function, "SpinLock")
	return ok && strings.HasPrefix(m, "spin")
}

// isMutexWait reports whether a function is the slow path of sync.Mutex, which
// spins a little before it sleeps; isMutexLock whether one takes a lock of
// kind mutex. Waiting is the first below the second.
func isMutexWait(function string) bool { return strings.HasSuffix(function, "sync.(*Mutex).lockSlow") }

func isMutexLock(function string) bool {
	m, ok := methodOf(function, "SpinLock")
	return ok && m == "lockMutex"
}

// isRetry reports whether a function is the wait in a hand-written retry loop.
func isRetry(function string) bool {
	m, ok := methodOf(function, "Thread")
	return ok && strings.HasPrefix(strings.ToLower(m), "relax")
}

// isIdlePoll reports whether a function keeps an idle core awake.
func isIdlePoll(function string) bool {
	_, poller := methodOf(function, "poller")
	return poller || strings.Contains(function, "idlePoll")
}
