package fio

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hostlock/workload"
	"hostlock/workload/command"
)

const tool = "fio"

var builtin = workload.Builtin{
	Name: "fio-randread", About: "4 threads read 4 KiB blocks at random places, each with 32 under way, as the usual fio command does",
	Text: []byte("fio --name=randread --rw=randread --bs=4k --ioengine=libaio --iodepth=32 --direct=1 --numjobs=4 --group_reporting --time_based --runtime=60 --filename=/dev/sda\n"),
}

func init() {
	command.Register(command.Tool{
		Name:    tool,
		About:   "a fio job file, or a fio command line (fio --name=a --rw=randread --filename=/dev/sda)",
		Params:  params(),
		Builtin: builtin,
		Parse: func(line string, of command.Line) (workload.Workload, error) {
			var p parser
			if err := p.command(line); err != nil {
				return nil, err
			}
			return p.workload("", of)
		},
		File: &command.File{Recognise: recognise, Parse: func(name string, text []byte, of command.Line) (workload.Workload, error) {
			var p parser
			dir := folder(name)
			if name == string(text) {
				dir = "" // a text that was given as it stands
			}
			if err := p.text(name, string(text), dir, 0); err != nil {
				return nil, err
			}
			return p.workload(name+":1", of)
		}},
	})
}

func folder(name string) string { return filepath.Dir(name) }

// recognise reports whether a text is a job file: its first line that is not
// empty and no comment is a section or an include, and more lines follow.
func recognise(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		first := line
		if i := strings.IndexAny(line, ";#"); i >= 0 {
			first = line[:i]
		}
		if first = strings.TrimSpace(first); first != "" {
			return strings.HasSuffix(line, "\n") && (first[0] == '[' && strings.HasSuffix(first, "]") || strings.HasPrefix(first, "include "))
		}
	}
	return false
}

// load is a set of jobs as a workload.
type load struct {
	command.Line
	jobs []*job
}

func (p *parser) workload(place string, of command.Line) (workload.Workload, error) {
	jobs, err := p.finish(place)
	if err != nil {
		return nil, err
	}
	return &load{Line: of, jobs: jobs}, nil
}

// Name is what the jobs do, so that a job file and a command line of one load
// have the same results; a built-in has its own.
func (w *load) Name() string {
	if w.Line.Name() == builtin.Name {
		return builtin.Name
	}
	var out []string
	for i, j := range w.jobs {
		if i == 3 && len(w.jobs) > 4 {
			out = append(out, fmt.Sprintf("and %d more", len(w.jobs)-i))
			break
		}
		out = append(out, j.String())
	}
	return "fio " + strings.Join(out, ", ")
}

// String is a job in a few words.
func (j *job) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", cut(j.name), j.kind())
	b.WriteByte(' ')
	b.WriteString(j.sizes())
	fmt.Fprintf(&b, " %s", j.engine.name)
	if j.async() {
		fmt.Fprintf(&b, " iodepth=%d", j.depth)
	}
	if j.clones > 1 {
		fmt.Fprintf(&b, " numjobs=%d", j.clones)
	}
	return b.String()
}

// kind is the job's rw.
func (j *job) kind() string {
	kind := "read"
	switch {
	case j.mixed():
		kind = "rw"
	case j.does[writes]:
		kind = "write"
	}
	if j.random {
		kind = "rand" + kind
	}
	return kind
}

func (j *job) sizes() string {
	var out []string
	for d, does := range j.does {
		if !does {
			continue
		}
		b := &j.bs[d]
		text := bytesName(b.lo)
		if b.hi != b.lo {
			text += "-" + bytesName(b.hi)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ",")
}

func bytesName(n int64) string {
	for i, unit := range []string{"g", "m", "k"} {
		if u := int64(1) << (30 - 10*i); n >= u && n%u == 0 {
			return fmt.Sprint(n/u) + unit
		}
	}
	return fmt.Sprint(n)
}

// About implements workload.Workload.
func (w *load) About() string { return strings.Replace(w.Name(), "fio ", "fio: ", 1) }

// Duration is how long the jobs take where each says so, one group after the
// other; 0 where a size ends one.
func (w *load) Duration() time.Duration {
	var sum, group time.Duration
	for i, j := range w.jobs {
		if j.runtime == 0 || !j.timeBased {
			return 0
		}
		if i > 0 && j.stonewall {
			sum, group = sum+group, 0
		}
		group = max(group, j.delay[1]+j.ramp+j.runtime)
	}
	return sum + group
}

// Threads implements workload.Workload.
func (w *load) Threads() int {
	n := 0
	for _, j := range w.jobs {
		n += j.clones
	}
	return n
}

// Warnings implements workload.Workload: the options that change nothing, each
// once.
func (w *load) Warnings() []string {
	var names []string
	for _, j := range w.jobs {
		for i := range j.asked {
			if o := j.asked[i].opt; o.quiet {
				names = append(names, o.name)
			}
		}
	}
	slices.Sort(names)
	return w.Ignored(slices.Compact(names))
}
