package computer

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// userTick is the unit of /proc: USER_HZ is 100 on every architecture that Go
// has, whatever the kernel's own HZ.
const userTick = 10 * time.Millisecond

// readSystemCPU reads /proc/stat and /proc/*/stat (proc(5)).
func readSystemCPU() systemCPU {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return systemCPU{}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	// cpu user nice system idle iowait irq softirq steal guest guest_nice;
	// the guests are in user and nice already.
	const idle, iowait, steal = 4, 5, 8
	if len(fields) <= steal || fields[0] != "cpu" {
		return systemCPU{}
	}
	s := systemCPU{known: true, processes: map[int]processUse{}}
	for i := 1; i <= steal; i++ {
		ticks, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return systemCPU{}
		}
		if i != idle && i != iowait {
			s.busy += time.Duration(ticks) * userTick
		}
	}
	s.readProcesses()
	return s
}

// readProcesses fills in what every process but this one has used. A process
// that goes meanwhile, or that may not be read, is left out: the total has it.
func (s *systemCPU) readProcesses() {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		text, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if p, ok := parseProcess(text); ok {
			s.processes[pid] = p
		}
	}
}

// parseProcess reads "pid (name) state ppid …". The name may contain anything,
// so that the last parenthesis ends it.
func parseProcess(text []byte) (processUse, bool) {
	from, to := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if from < 0 || to < from {
		return processUse{}, false
	}
	fields := strings.Fields(string(text[to+1:]))
	const utime, stime = 11, 12 // fields 14 and 15, counted from the state, the third
	if len(fields) <= stime {
		return processUse{}, false
	}
	user, err1 := strconv.ParseInt(fields[utime], 10, 64)
	system, err2 := strconv.ParseInt(fields[stime], 10, 64)
	if err1 != nil || err2 != nil {
		return processUse{}, false
	}
	return processUse{string(text[from+1 : to]), time.Duration(user+system) * userTick}, true
}
