// Command quota runs under a CPU quota of its own: it needs a control group that it may make.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	mu   sync.Mutex
	held truth.Held
)

func guarded() {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() { truth.Spin(20 * time.Microsecond) })
}

// limit puts this process into a group with half a CPU, in version 2 of the
// control groups or in version 1.
func limit() error {
	root, files := "/sys/fs/cgroup", map[string]string{"cpu.max": "50000 100000"}
	if _, err := os.Stat(filepath.Join(root, "cgroup.controllers")); err != nil {
		root, files = "/sys/fs/cgroup/cpu", map[string]string{"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "50000"}
	}
	dir := filepath.Join(root, "hostlock-quota-"+strconv.Itoa(os.Getpid()))
	if _, err := os.Stat(root); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			os.Remove(dir)
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644)
}

func main() {
	if err := limit(); err != nil {
		fmt.Fprintln(os.Stderr, "no control group can be made here:", err)
		os.Exit(3)
	}
	elapsed := truth.Run(4, func(_ int, _ *rand.Rand) {
		guarded()
		truth.Spin(20 * time.Microsecond)
	})
	truth.Print("main.guarded", "quota", elapsed, held)
}
