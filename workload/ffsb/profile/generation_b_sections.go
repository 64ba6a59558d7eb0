package profile

import "strings"

// filesystem reads a section up to its end. It starts from the one before,
// all but the location.
func (p *parserB) filesystem(header Pos, number string, before *fsSection) (*fsSection, error) {
	fs := *before
	fs.Pos, fs.Location = header, Value[string]{}
	p.section = header
	for {
		l, closed, err := p.inside("filesystem", number, header)
		if err != nil {
			return nil, err
		}
		if closed {
			break
		}
		switch {
		case isStats(l):
			p.warn(l.pos, "[stats] of a filesystem; FFSB 5.x reads it and ignores it")
			if _, err := p.stats(l.pos); err != nil {
				return nil, err
			}
			p.section = header
		case l.isHeader():
			if _, ok := numbered(l, "threadgroup"); ok {
				return nil, errorAt(l.pos, "%s inside a filesystem, but not right after agefs=1, so that FFSB 5.x takes its end for the filesystem's; legal: agefs=1 on the line before, or no such section", l.text)
			}
			p.warn(l.pos, "unknown line %s is ignored", l.text)
		default:
			if err := setB(&p.reader, fsB, &fs, l); err != nil {
				return nil, err
			}
			if l.key() == "agefs" && fs.agefs.V {
				if err := p.ageing(&fs); err != nil {
					return nil, err
				}
				p.section = header
			}
		}
	}
	fs.Age = nil
	if fs.agefs.V {
		age := fs.nested.withFsync()
		fs.Age = &age
	}
	if keys := inherited(fs.settings(), header); keys != "" {
		p.warn(header, "[filesystem%s] takes %s from the section before it", number, keys)
	}
	return &fs, nil
}

// ageing reads the group that must follow agefs=1 at once.
func (p *parserB) ageing(fs *fsSection) error {
	l, ok := p.take()
	n, isGroup := numbered(l, "threadgroup")
	if !ok || !isGroup {
		return errorAt(fs.agefs.Pos, "agefs=1 without an ageing group; legal: [threadgroup0] on the next line")
	}
	g, err := p.group(l.pos, n, newGroup(Pos{}))
	if err == nil {
		fs.nested = g
	}
	return err
}

// group reads a section up to its end. It starts from the one before, all but
// the weights, bindfs and [stats].
func (p *parserB) group(header Pos, number string, before *groupSection) (*groupSection, error) {
	g := *before
	blank := newGroup(header)
	g.Pos, g.Weights, g.BindFS, g.Stats = header, blank.Weights, blank.BindFS, blank.Stats
	p.section = header
	for {
		l, closed, err := p.inside("threadgroup", number, header)
		if err != nil {
			return nil, err
		}
		if closed {
			break
		}
		switch {
		case isStats(l):
			stats, err := p.stats(l.pos)
			if err != nil {
				return nil, err
			}
			if g.Stats.Pos.IsValid() {
				p.warn(l.pos, "a second [stats]; FFSB 5.x forgets that of line %d", g.Stats.Pos.Line)
			}
			g.Stats, p.section = *stats, header
		case l.isHeader():
			p.warn(l.pos, "unknown line %s is ignored", l.text)
		default:
			if err := setB(&p.reader, groupB, &g, l); err != nil {
				return nil, err
			}
		}
	}
	if keys := inherited(g.settings(), header); keys != "" {
		p.warn(header, "[threadgroup%s] takes %s from the section before it", number, keys)
	}
	return &g, nil
}

func isStats(l line) bool { return strings.HasPrefix(l.text, "[stats]") }

// stats reads a [stats] section, which ends with [end] and no number.
func (p *parserB) stats(header Pos) (*Stats, error) {
	s := &Stats{Pos: header}
	p.section = header
	for {
		l, ok := p.take()
		switch {
		case !ok:
			return nil, errorAt(header, "[stats] has no [end]; legal: [end], without a number, after its last line")
		case strings.HasPrefix(l.text, "[end]"):
			// FFSB 5.x has no switch for ranges: it counts into those that are there.
			s.EnableRange = Value[bool]{V: s.Enable.V && len(s.Ranges) > 0}
			return s, nil
		case l.isHeader():
			return nil, errorAt(l.pos, "%s inside the [stats] of line %d, where FFSB 5.x skips it; legal: [end], without a number, before it", l.text, header.Line)
		}
		if err := setB(&p.reader, statsB, s, l); err != nil {
			return nil, err
		}
	}
}

// inside returns the next line of a section, or that the section is closed.
func (p *parserB) inside(kind, number string, header Pos) (l line, closed bool, err error) {
	l, ok := p.take()
	if !ok {
		return l, false, errorAt(header, "[%s%s] has no end; legal: [end%s] after its last line", kind, number, number)
	}
	if n, ok := numbered(l, "end"); ok {
		if n != number {
			p.warn(l.pos, "[end%s] closes [%s%s]; FFSB 5.x says so and goes on", n, kind, number)
		}
		return l, true, nil
	}
	_, isFS := numbered(l, "filesystem")
	_, isGroup := numbered(l, "threadgroup")
	if isFS || isGroup && kind == "threadgroup" {
		return l, false, errorAt(l.pos, "%s before the end of [%s%s] of line %d; legal: [end%s] before it", l.text, kind, number, header.Line, number)
	}
	return l, false, nil
}

// setB reads one setting of generation B into s. FFSB 5.x says "unknown line"
// of what it does not know, and goes on.
func setB[S any](r *reader, known options[S], s *S, l line) error {
	word, rest := cutWord(l.text)
	if opt, ok := known.byKey[word]; ok && opt.list {
		ws := words(rest)
		if len(ws) > 2 {
			rest = ws[0] + " " + ws[1]
			if ws[2][0] != '#' {
				r.warn(l.pos, "%s %s: text after the value is ignored", word, rest)
			}
		}
		return opt.set(r, s, entry{key: word, val: rest, list: true, pos: l.pos})
	}
	key := l.key()
	opt, ok := known.byKey[key]
	switch {
	case !ok || opt.list:
		r.warn(l.pos, "unknown line %s is ignored; legal in %s: %s", l.text, known.title, known.legal())
		return nil
	case !strings.Contains(l.text, "="):
		return errorAt(l.pos, "%s: no '='; legal: %s=VALUE", l.text, key)
	}
	return opt.set(r, s, r.plainEntry(l, false))
}

// bound checks bindfs, which is the number of a filesystem.
func (p *parserB) bound(g *ThreadGroup) error {
	if g.BindFS.V < len(p.g.Filesystems) {
		return nil
	}
	return errorAt(g.BindFS.Pos, "bindfs=%d, but the filesystems are 0 to %d; legal: one of these numbers, or -1 for any", g.BindFS.V, len(p.g.Filesystems)-1)
}

// withFsync returns the group with fsync_file turned into the operations that
// end with an fsync, which do the same.
func (g *groupSection) withFsync() ThreadGroup {
	t := g.ThreadGroup
	if !g.fsync.V {
		return t
	}
	for _, op := range Ops() {
		if base := op.Base(); op != base && t.Weights[base].V > 0 {
			t.Weights[op], t.Weights[base] = t.Weights[base], Value[int]{}
		}
	}
	return t
}
