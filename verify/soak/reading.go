package soak

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"hostlock/machine/computer"
)

// Reading is what the process holds after so many commands.
type Reading struct {
	Commands   int64         // that have come back
	Elapsed    time.Duration // by the clock, since the start
	Processor  time.Duration // that the process has used since; 0 where the system does not say
	Heap       uint64        // bytes that live, after a collection
	Goroutines int
	Resident   uint64 // bytes (RSS); 0 where the system does not say
}

// clock is when a soak began.
type clock struct {
	began     time.Time
	processor time.Duration
}

func startClock() clock {
	used, _ := computer.ProcessCPU()
	return clock{time.Now(), used}
}

// read takes a reading.
func (c clock) read(commands int64) Reading {
	r := Reading{Commands: commands, Elapsed: time.Since(c.began)}
	if used, ok := computer.ProcessCPU(); ok {
		r.Processor = used - c.processor
	}
	// A sync.Pool lets go at the second collection only.
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	r.Heap, r.Goroutines, r.Resident = s.HeapAlloc, runtime.NumGoroutine(), resident()
	return r
}

// resident reads /proc/self/statm, whose second field is in pages (proc(5)).
func resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}

// allowance is by how many bytes the live heap may grow over a run. The runtime
// keeps records of goroutines that wait, and the path requests for its longest
// queue: both grow ever more slowly, by up to 100 KiB in a first million commands.
const allowance = 256 << 10

// judge makes the report once the machine has stopped. failed is its error, but
// for an interrupt.
func (s *soak) judge(failed error) *Report {
	s.read()
	r := &Report{
		Config: s.cfg, Recovers: s.sys.Hosts()[0].HandlesErrors(), Readings: s.taken,
		Ledger: s.sys.Ledger(), Injected: s.sys.InjectedFaults(), Errors: s.sys.ErrorCounts(), Limits: s.sys.Limits(),
		Partial: s.ctx.Err() != nil,
	}
	found := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	if errors.As(failed, &r.Panic) {
		if text, _ := r.Panic.Value.(string); strings.HasPrefix(text, stalled) {
			r.Panic = nil // the watch has ended the run
		}
	}
	if failed != nil {
		found("%s", reason(failed))
	}
	for _, v := range s.sys.LimitViolations() {
		found("%s is %d, and %d were with the driver", v.What, v.Limit, v.Max)
	}
	if n := r.Ledger.Duplicates; n != 0 {
		found("%d commands were completed twice", n)
	}
	if n := r.Errors.Offlined; n != 0 {
		found("%d devices went offline", n)
	}
	if r.Partial {
		return r // what was under way then is not lost
	}
	s.balance(r, found)
	if g, ok := r.Growth(); ok && g > allowance {
		found("the live heap grew by %.0f KiB", g/1024)
	}
	// Timers have goroutines while they fire.
	if first, last := r.Readings[0].Goroutines, r.Readings[len(r.Readings)-1].Goroutines; last > first+s.cfg.Threads {
		found("%d goroutines became %d", first, last)
	}
	return r
}

// balance holds the ledger against itself, and against what the threads saw.
func (s *soak) balance(r *Report, found func(string, ...any)) {
	l := r.Ledger
	var sent, back, bad int64
	for i := range s.issuers {
		sent += s.issuers[i].sent.Load()
		back += s.issuers[i].back.Load()
		bad += s.issuers[i].bad.Load()
	}
	switch {
	case l.Lost != 0:
		found("the ledger does not close: %d issued, %d completed, %d failed, %d lost", l.Issued, l.Completed, l.Failed, l.Lost)
	case sent != l.Issued || back != l.Completed+l.Failed || bad != l.Failed:
		found("the threads sent %d commands and got %d back, %d of them failed; the ledger has %d issued, %d completed, %d failed",
			sent, back, bad, l.Issued, l.Completed, l.Failed)
	case sent != s.cfg.Commands:
		found("%d commands were issued, not %d", sent, s.cfg.Commands)
	}
}
