// Package command makes the command line of a tool a workload's format: what
// dd, disktest and sgp_dd have in common but for what they read and do.
package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hostlock/dispatch"
	"hostlock/machine/param"
	"hostlock/workload"
	"hostlock/workload/operand"
)

// Tool describes a program whose command lines are workloads.
type Tool struct {
	Name    string // as its command line begins
	About   string // one line: what such a command line looks like
	Params  []param.Spec
	Builtin workload.Builtin
	// Parse reads a command line. Its error is one line without a place.
	Parse func(line string, of Line) (workload.Workload, error)
	// File reads the tool's own files, where it has such; nil is a tool that has
	// command lines alone.
	File *File
}

// File is a file format beside the command line.
type File struct {
	Recognise func(text []byte) bool
	// Parse reads a text. Its error has its place.
	Parse func(name string, text []byte, of Line) (workload.Workload, error)
}

// Line is one command line of a tool: what every such workload says of itself.
type Line struct {
	tool *Tool
	name string
	text []byte
}

// Register makes the tool's command lines known; call it from init.
func Register(t Tool) {
	workload.Register(workload.Format{
		Kind: t.Name, About: t.About, Command: true, Params: t.Params, Builtins: []workload.Builtin{t.Builtin},
		Recognise: func(text []byte) bool {
			return operand.Command(text, t.Name) || t.File != nil && t.File.Recognise(text)
		},
		Parse: func(name string, text []byte) (workload.Workload, error) {
			if t.File != nil && !operand.Command(text, t.Name) {
				return t.File.Parse(name, text, Line{tool: &t, name: name, text: text})
			}
			line, number, err := operand.Line(text)
			var w workload.Workload
			if err == nil {
				w, err = t.Parse(line, Line{tool: &t, name: name, text: text})
			}
			if err != nil {
				return nil, operand.At(t.Name, name, string(text), number, err)
			}
			return w, nil
		},
	})
}

// Name, Kind, Params and Text implement workload.Workload.
func (l Line) Name() string         { return l.name }
func (l Line) Kind() string         { return l.tool.Name }
func (l Line) Params() []param.Spec { return l.tool.Params }
func (l Line) Text() []byte         { return slices.Clone(l.text) }

// Ignored is the warning about words that are read, and change nothing.
func (l Line) Ignored(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	return []string{l.tool.Name + ": " + strings.Join(words, ", ") + " changes nothing here"}
}

// Threads is how many threads a run has of a tool that asks for own: what the run
// says, or else as many as its scale makes of them.
func Threads(env workload.Env, own int) int {
	if env.Threads > 0 {
		return env.Threads
	}
	return max(1, int(math.Round(float64(own)*env.Scale)))
}

// Device is the device that a file's name stands for; ok is false where it
// stands for none. opt is how the tool says it, as in "if=/dev/sda".
func Device(tool, opt, file string, devices []*dispatch.Device) (index int, ok bool, err error) {
	i, ok := operand.Device(file)
	if ok && i >= len(devices) {
		return -1, true, fmt.Errorf("%s: %s is device %d; legal: 0 to %d", tool, opt, i, len(devices)-1)
	}
	return i, ok, nil
}
