package ffsb

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hostlock/machine/param"
	"hostlock/workload"
	"hostlock/workload/ffsb/profile"
)

// ffsb is a profile as a workload.
type ffsb struct {
	conf *profile.Profile
	text []byte
}

// parse reads a profile of any generation.
func parse(name string, text []byte) (workload.Workload, error) {
	p, err := profile.Parse(name, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return &ffsb{conf: p, text: text}, nil
}

// Name, Kind, Duration, Threads and Text implement workload.Workload.
func (w *ffsb) Name() string            { return w.conf.Name }
func (w *ffsb) Kind() string            { return kind }
func (w *ffsb) Duration() time.Duration { return w.conf.Time.V }
func (w *ffsb) Threads() int            { return w.conf.TotalThreads() }
func (w *ffsb) Text() []byte            { return slices.Clone(w.text) }

// Params implements workload.Workload. What the page cache depends on is there
// for buffered I/O alone.
func (w *ffsb) Params() []param.Spec {
	if w.conf.DirectIO.V {
		return params()
	}
	return allParams()
}

// About implements workload.Workload.
func (w *ffsb) About() string {
	p := w.conf
	files := 0
	for i := range p.Filesystems {
		files += p.Filesystems[i].NumFiles.V
	}
	io := "buffered"
	if p.DirectIO.V {
		io = "direct"
	}
	var ops []string
	for _, op := range profile.Ops() {
		for i := range p.Groups {
			if p.Groups[i].Does(op) {
				ops = append(ops, op.String())
				break
			}
		}
	}
	return fmt.Sprintf("FFSB profile, generation %s: %s, %s, %s in %s, %s I/O: %s", p.Generation,
		many(len(p.Filesystems), "file system"), many(files, "file"), many(p.TotalThreads(), "thread"),
		many(len(p.Groups), "group"), io, strings.Join(ops, ", "))
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Start implements workload.Workload.
func (w *ffsb) Start(env workload.Env) (workload.Run, error) {
	env, err := env.Complete(w)
	if err != nil {
		return nil, err
	}
	p, err := scaled(w.conf, env.Scale)
	if err != nil {
		return nil, err
	}
	if env.Threads > 0 {
		own := *p
		own.Groups = slices.Clone(p.Groups)
		spread(own.Groups, env.Threads)
		p = &own
	}
	if n := p.TotalThreads(); n > workload.MaxThreads {
		return nil, fmt.Errorf("%s: %d threads in all; legal: up to %d", p.Name, n, workload.MaxThreads)
	}
	if env.System == nil {
		return nil, errors.New("workload " + w.Name() + " has no system to run on")
	}
	cost := costsFrom(env.Params)
	var st storage = path{env.System}
	if !p.DirectIO.V && env.Params.Bool("fs.page_cache") {
		if cost.verify {
			return nil, fmt.Errorf("fs.verify=true with fs.page_cache=true: the cache keeps no contents; legal: one of them")
		}
		st = newCached(env.System, env.Params)
	}
	r, err := newRun(env.Machine, st, p, cost, env.Devices)
	if err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		return nil, err
	}
	if !p.DirectIO.V && !env.Params.Bool("fs.page_cache") {
		r.notes = append(r.notes, w.uncached())
	}
	return r, nil
}
