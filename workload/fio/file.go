package fio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hostlock/files"
)

// Bounds of a job file.
const (
	maxText     = 4 << 20 // bytes, with all that it includes
	maxJobs     = 4096    // sections
	maxOptions  = 1 << 16 // in all
	maxIncludes = 8       // deep
)

// parser gathers sections and their options from files and command lines.
type parser struct {
	jobs    []*job
	global  []entry
	only    []string // --section
	current *job     // nil: nothing yet, or [global], or a section that is left out
	state   state
	// readonly is fio's --readonly: jobs that write are refused.
	readonly bool
	options  int
	bytes    int
}

type state uint8

const (
	outside state = iota // before any section
	inGlobal
	inJob
	skipped
)

// section begins one.
func (p *parser) section(name, place string) error {
	if name == "" {
		return at(place, errors.New("a section without a name; legal: [global], or [NAME] for a job"))
	}
	switch {
	case strings.EqualFold(name, "global"):
		p.state = inGlobal
	case len(p.only) > 0 && !slices.Contains(p.only, name):
		p.state = skipped
	default:
		if len(p.jobs) == maxJobs {
			return at(place, fmt.Errorf("more than %d jobs; legal: up to as many sections", maxJobs))
		}
		p.state, p.current = inJob, newJob(name, place)
		if p.options += len(p.global); p.options > maxOptions {
			return at(place, fmt.Errorf("more than %d options, with those that [global] gives to each job; legal: up to as many", maxOptions))
		}
		p.current.asked = slices.Clone(p.global)
		p.jobs = append(p.jobs, p.current)
	}
	return nil
}

// option adds one to the section at hand.
func (p *parser) option(name, value string, bare bool, place string) error {
	o, err := lookup(name)
	if err != nil {
		return at(place, err)
	}
	if p.options++; p.options > maxOptions {
		return at(place, fmt.Errorf("more than %d options; legal: up to as many", maxOptions))
	}
	e := entry{opt: o, value: value, bare: bare, place: place}
	switch p.state {
	case outside:
		return at(place, fmt.Errorf("%s before any section; legal: [global] or a job's [NAME] first", name))
	case inGlobal:
		p.global = append(p.global, e)
	case inJob:
		p.current.asked = append(p.current.asked, e)
	}
	return nil
}

// text reads a job file, or an included part of one. dir is where includes are
// looked for; "" allows none, for a text that is in no file.
func (p *parser) text(name, text, dir string, depth int) error {
	if p.bytes += len(text); p.bytes > maxText {
		return fmt.Errorf("%s: the file and what it includes have more than %d bytes", name, maxText)
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		place := name + ":" + strconv.Itoa(n)
		if len(line) > 1<<16 {
			return at(place, fmt.Errorf("a line of %d bytes; legal: up to 65536", len(line)))
		}
		if err := p.line(line, place, name, dir, depth); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) line(line, place, name, dir string, depth int) error {
	if i := strings.IndexAny(line, ";#"); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	if line[0] == '[' {
		end := strings.LastIndexByte(line, ']')
		if end != len(line)-1 {
			return at(place, fmt.Errorf("%q is no section; legal: [NAME]", cut(line)))
		}
		if depth > 0 {
			return at(place, errors.New("a section in an included file; legal: options alone"))
		}
		return p.section(strings.TrimSpace(line[1:end]), place)
	}
	if rest, ok := strings.CutPrefix(line, "include"); ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		return p.include(strings.TrimSpace(rest), place, dir, depth)
	}
	key, value, given := strings.Cut(line, "=")
	return p.option(strings.TrimSpace(key), expand(strings.TrimSpace(value)), !given, place)
}

func cut(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}

// include splices a file in; a name without a directory is looked for beside the
// file that includes it.
func (p *parser) include(file, place, dir string, depth int) error {
	if depth == maxIncludes {
		return at(place, fmt.Errorf("includes within %d others; legal: up to %d deep", depth, maxIncludes))
	}
	if dir == "" {
		return at(place, errors.New("include in a text that lies in no file; legal: a job file that includes"))
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err := files.Read(file, maxText)
	if err != nil {
		return at(place, fmt.Errorf("include: %w; legal: a file of options", reading(file, err)))
	}
	return p.text(file, string(text), filepath.Dir(file), depth+1)
}

func reading(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no such file: %s", file)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// expand replaces ${NAME} by the environment's value; nothing stands for one
// that is not there.
func expand(v string) string {
	if !strings.Contains(v, "${") {
		return v
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(v, "${")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if found {
				b.WriteString("${" + rest)
			}
			return b.String()
		}
		b.WriteString(os.Getenv(name))
		if v = after; b.Len() > 1<<16 {
			return b.String()
		}
	}
}

// finish carries every job's options out, and numbers the jobs.
func (p *parser) finish(place string) ([]*job, error) {
	if len(p.jobs) == 0 {
		if len(p.only) > 0 {
			return nil, at(place, fmt.Errorf("no section is called %s; legal: one that is there", strings.Join(p.only, " or ")))
		}
		return nil, at(place, errors.New("no job; legal: at least one section besides [global]"))
	}
	number, group := 0, 0
	for i, j := range p.jobs {
		if err := j.apply(); err != nil {
			return nil, err
		}
		if p.readonly && j.does[writes] {
			return nil, at(j.at("rw"), fmt.Errorf("job %s writes, and --readonly was given; legal: rw=read or randread", j.name))
		}
		j.jobnum = number
		if number += j.clones; number > maxClones {
			return nil, at(j.at("numjobs"), fmt.Errorf("%d jobs with their clones; legal: up to %d", number, maxClones))
		}
		if i > 0 && (j.stonewall || j.ownGroup) {
			group++
		}
		j.group = group
		if j.waitFor != "" && !slices.ContainsFunc(p.jobs[:i], func(o *job) bool { return o.name == j.waitFor }) {
			return nil, at(j.at("wait_for"), fmt.Errorf("wait_for=%s: no job before it is called that; legal: a job above", j.waitFor))
		}
	}
	return p.jobs, nil
}

// at is an error with its place, where it has one of its own: that of a command
// line is added by who reads it.
func at(place string, err error) error {
	if place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}
