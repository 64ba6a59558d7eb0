// Package launch runs a user's command so that the Go programs that it builds
// and starts are recorded.
package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"hostlock/record/overlay"
	"hostlock/record/read"
	"hostlock/record/rt"
)

// Command is what the user gave, made ready.
type Command struct {
	Args           []string
	Stdout, Stderr io.Writer
	env            []string // of a recorded run
	plain          []string // of a run that is not recorded
	tool           string   // the go command of a toolchain that is reached by a link
}

// Prepare makes the overlay for a command, and hands it on by GOFLAGS: whatever
// runs go, a script or make too, builds with it. A command may need no Go at all
// (a binary that lab record build made): then none has to be there.
//
// It returns an *overlay.Refusal where this toolchain cannot be used.
func Prepare(args []string) (*Command, error) {
	c := &Command{Args: slices.Clone(args), plain: os.Environ()}
	t, err := overlay.Find("")
	if err != nil {
		if filepath.Base(args[0]) == "go" {
			return nil, err
		}
		c.env = os.Environ()
		return c, nil
	}
	flags, own, err := takeOverlay(strings.Fields(t.GOFLAGS))
	if err != nil {
		return nil, err
	}
	if filepath.Base(args[0]) == "go" {
		var more string
		if c.Args, more, err = takeOverlay(c.Args); err != nil {
			return nil, err
		}
		if more != "" {
			own = more // as the go command has it: its own flag beats GOFLAGS
		}
	}
	merge, err := replacements(own)
	if err != nil {
		return nil, err
	}
	dir, err := overlay.Dir()
	if err != nil {
		return nil, err
	}
	o, err := overlay.Make(t, dir, merge)
	if err != nil {
		return nil, err
	}
	c.tool = o.Go
	flag := "-overlay=" + o.File
	if strings.ContainsAny(o.File, " \t") {
		flag = "'" + flag + "'"
	}
	flags = append(flags, flag)
	if !slices.ContainsFunc(append(slices.Clone(flags), args...), func(a string) bool { return strings.HasPrefix(strings.TrimLeft(a, "-"), "count") }) {
		flags = append(flags, "-count=1") // a test result from the cache takes no lock; go build knows no such flag, and passes it by
	}
	c.env = append(append(os.Environ(), o.Env...), "GOFLAGS="+strings.Join(flags, " "))
	return c, nil
}

// takeOverlay takes -overlay out of a list of flags.
func takeOverlay(flags []string) (rest []string, file string, err error) {
	for i := 0; i < len(flags); i++ {
		name, value, ok := strings.Cut(strings.TrimLeft(strings.Trim(flags[i], "'\""), "-"), "=")
		if name != "overlay" || !strings.HasPrefix(strings.Trim(flags[i], "'\""), "-") {
			if flags[i] == "-args" || flags[i] == "--args" {
				return append(rest, flags[i:]...), file, nil
			}
			rest = append(rest, flags[i])
			continue
		}
		if !ok {
			if i+1 == len(flags) {
				return nil, "", &overlay.Refusal{Text: "-overlay has no file; legal: -overlay=FILE"}
			}
			i++
			value = flags[i]
		}
		file = value
	}
	return rest, file, nil
}

// replacements reads an overlay that the user has in place.
func replacements(file string) (map[string]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &overlay.Refusal{Text: fmt.Sprintf("your own overlay: %v", err)}
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, &overlay.Refusal{Text: fmt.Sprintf("your own overlay %s: %v", file, err)}
	}
	out := map[string]string{}
	for from, to := range o.Replace {
		if from, err = filepath.Abs(from); err != nil {
			return nil, err
		}
		if to != "" {
			if to, err = filepath.Abs(to); err != nil {
				return nil, err
			}
		}
		out[from] = to
	}
	return out, nil
}

// Stretch says which site's holds are lengthened in a run.
type Stretch struct {
	Site    string  // a function, or file:line
	Factor  float64 // of the hold
	Outside bool    // the same time after the hold, as a control
}

// Run is one run of the command, and what it recorded.
type Run struct {
	Processes []*read.Process
	Wall      time.Duration
	CPU       time.Duration
	Err       error // how the command ended: *exec.ExitError where it failed
}

// grace is how long an interrupted command may take to end by itself.
const grace = 10 * time.Second

// Once runs the command: recorded into dir, or plain where dir is empty.
func (c *Command) Once(ctx context.Context, dir string, s *Stretch, progress string) (*Run, error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	if c.tool != "" && c.Args[0] == "go" {
		// The one in PATH is of another release, and would find its own compiler
		// missing.
		cmd.Path, cmd.Err = c.tool, nil
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, c.Stdout, c.Stderr
	cmd.Env = c.plain
	if dir != "" {
		cmd.Env = append(slices.Clone(c.env), rt.EnvDir+"="+dir)
		if s != nil {
			where := "in"
			if s.Outside {
				where = "out"
			}
			cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d:%s", rt.EnvStretch, where, int(s.Factor*1000+0.5), s.Site))
		}
		if progress != "" {
			cmd.Env = append(cmd.Env, rt.EnvProgress+"="+progress)
		}
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = grace
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, &overlay.Refusal{Text: fmt.Sprintf("%s cannot be run: %v", c.Args[0], err)}
	}
	r := &Run{Err: cmd.Wait()}
	r.Wall = time.Since(begun)
	if cmd.ProcessState != nil {
		r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var err error
	if dir != "" {
		r.Processes, err = Read(dir)
	}
	return r, err
}

// Read reads what the processes of a run have recorded, running ones too. A
// file that is no recording yet is passed by: its process is about to begin.
func Read(dir string) ([]*read.Process, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []*read.Process
	for _, e := range list {
		p, err := read.File(filepath.Join(dir, e.Name()))
		var format *read.FormatError
		switch {
		case errors.As(err, &format):
		case err != nil:
			return nil, err
		default:
			out = append(out, p)
		}
	}
	return out, nil
}
