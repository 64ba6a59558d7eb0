package launch

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// others is how much of the computer something else may take, in percent: a
// twentieth is what a tenth, which the known programs are held to, leaves room for.
const others = 5.0

// tries is how often a program runs before the computer is called busy.
const tries = 12

// quietly runs f, which returns the CPU time of what it started, until nothing
// else took part of the computer meanwhile. What holds a lock while the system
// gives its processor away is no error of the recorder, and no figure either.
func quietly(t *testing.T, f func() time.Duration) {
	t.Helper()
	var taken float64
	for range tries {
		for range 10 { // until a fifth of a second is idle
			if busy, all := processors(t, func() { time.Sleep(200 * time.Millisecond) }); 100*busy < others*all {
				break
			}
			time.Sleep(time.Second)
		}
		var own time.Duration
		busy, all := processors(t, func() { own = f() })
		if taken = 100 * (busy - own.Seconds()) / all; taken <= others {
			return
		}
	}
	t.Fatalf("the computer is not quiet: something else took %.0f %% of it in the last of %d runs", taken, tries)
}

// processors is what the computer's processors did while f ran: seconds in which
// they were busy, and in all.
func processors(t *testing.T, f func()) (busy, all float64) {
	t.Helper()
	before, idle := ticks(t)
	f()
	after, still := ticks(t)
	const second = 100 // ticks, as Linux shows them to programs
	return (after - before - still + idle) / second, (after - before) / second
}

// ticks reads /proc/stat: all ticks of all processors, and the idle ones.
func ticks(t *testing.T) (all, idle float64) {
	t.Helper()
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Skipf("on %s nobody says whether the computer is quiet: %v", runtime.GOOS, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, f := range strings.Fields(line)[1:9] { // guests are within the first
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		if all += v; i == 3 || i == 4 { // idle, and waiting for a disk
			idle += v
		}
	}
	return all, idle
}
