package profiles

import (
	"strings"

	"hostlock/results"
)

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
