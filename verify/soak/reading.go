package soak

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
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
