package workload

import (
	"io"
	"time"

	"hostlock/machine/param"
)

// Workload is a workload as its file describes it. It does not change; each
// run of it is a [Run].
type Workload interface {
	// Name is the built-in's name, or the file as it was given to Load.
	Name() string
	// Kind is the format of the file, such as "ffsb".
	Kind() string
	// About is one line for reports: the generation of the format, and what
	// runs on what.
	About() string
	// Duration is how long the file itself wants to run, 0 where it does not
	// say.
	Duration() time.Duration
	// Threads is how many threads the file asks for, at scale 1.
	Threads() int
	// Warnings are what a run of this file does not do, or does otherwise than
	// a reader of the file may expect: one line each.
	Warnings() []string
	// Params are the parameters that a run reads; they must be declared in
	// [Env.Params].
	Params() []param.Spec
	// Text is the file's own text, to be copied and edited.
	Text() []byte
	// Start builds the files and adds the threads to env.Machine, which has not
	// begun to run. Its error is one line: a load that does not fit the devices,
	// or a scale or thread count out of range.
	Start(env Env) (Run, error)
}

// Run is one run of a workload on a machine. But for the edges of the window
// its methods are called once the machine has stopped.
type Run interface {
	// BeginWindow and EndWindow are the edges of the measured window, for
	// [machine.Course].
	BeginWindow()
	EndWindow()
	// Operations are the workload's own counts over the window, in a fixed
	// order.
	Operations() []Count
	// Threads is how many threads issue I/O.
	Threads() int
	// Notes are what a reader of the figures should know about this run, one
	// line each.
	Notes() []string
	// Err is why the run failed: the program under simulation would have ended
	// (disk full, no file left, a failed call), or data came back that no write
	// explains. It is nil where all went well.
	Err() error
	// NativeReport writes the results as the original program prints them.
	// The window is how long was measured.
	NativeReport(w io.Writer, window time.Duration) error
}

// Count is one number of a run under its name.
type Count struct {
	Name  string
	Value int64
}
