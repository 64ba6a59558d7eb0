package ffsb

import (
	"fmt"

	"hostlock/workload/ffsb/profile"
)

// Warnings implements workload.Workload: what FFSB itself does with the file
// that may surprise, then what this run of it does otherwise.
func (w *ffsb) Warnings() []string {
	p := w.conf
	out := append([]string(nil), p.Warnings...)
	say := func(pos profile.Pos, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if pos.IsValid() {
			text = pos.String() + ": " + text
		}
		out = append(out, text)
	}
	if p.DirectIO.V {
		w.warnDirect(say)
	}
	if p.Callout.V != "" {
		say(p.Callout.Pos, "the callout is not run")
	}
	for i := range p.Filesystems {
		if f := &p.Filesystems[i]; f.Reuse.V {
			say(f.Reuse.Pos, "reuse finds no older files here: they are made anew")
			break
		}
	}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Iterations.V > 0 {
			say(g.Iterations.Pos, "iterations do not end the run: it lasts for a time, as in FFSB 5.0 and later")
			break
		}
	}
	if op := w.firstMeta(); op >= 0 {
		say(profile.Pos{}, "%s and other changes of metadata cost processor time only: no journal, inode or directory is written", op)
	}
	return out
}

// uncached is the note of a run whose buffered I/O has no page cache under it:
// only the run knows, since a parameter decides.
func (w *ffsb) uncached() string {
	text := "buffered I/O goes straight to the device, one request a block; fs.page_cache=true puts a page cache in between"
	if pos := w.conf.DirectIO.Pos; pos.IsValid() {
		text = pos.String() + ": " + text
	}
	return text
}

// warnDirect is about blocks that direct I/O cannot move.
func (w *ffsb) warnDirect(say func(profile.Pos, string, ...any)) {
	for i := range w.conf.Groups {
		g := &w.conf.Groups[i]
		for _, v := range []profile.Value[int64]{g.ReadSize, g.ReadBlocksize, g.ReadSkipsize, g.WriteSize, g.WriteBlocksize} {
			if v.V%sectorSize != 0 {
				say(v.Pos, "%d is no multiple of %d bytes, where FFSB's direct I/O fails: here a sector that is touched is moved whole", v.V, sectorSize)
				return
			}
		}
	}
}

// firstMeta is the first operation of the profile that changes metadata, or -1.
func (w *ffsb) firstMeta() profile.Op {
	for _, op := range profile.Ops() {
		switch op.Base() {
		case profile.OpCreate, profile.OpAppend, profile.OpDelete, profile.OpMetaop, profile.OpCreatedir:
		default:
			continue
		}
		for i := range w.conf.Groups {
			if w.conf.Groups[i].Does(op) {
				return op
			}
		}
	}
	return -1
}
