package profile

import "strings"

var (
	globalsB = newOptions("the globals", "B", allGlobals)
	fsB      = newOptions("[filesystem]", "B", allFS)
	groupB   = newOptions("[threadgroup]", "B", allGroup)
	statsB   = newOptions("[stats]", "B", allStats)
)

// orderB is the only order in which FFSB 5.2.1 reads its globals. Its README
// gives another one.
var orderB = []string{
	"num_filesystems", "num_threadgroups", "verbose", "directio", "bufferedio", "alignio", "time", "callout",
}

// parserB reads generation B as FFSB 5.2.1 does: line by line, each in its
// place, with what a section leaves out taken from the one before it.
type parserB struct {
	reader
	g globals
}

func parseB(r reader) (*reader, *Profile, error) {
	p := &parserB{reader: r}
	if err := p.file(); err != nil {
		return nil, nil, err
	}
	return &p.reader, &p.g.Profile, nil
}

func (p *parserB) file() error {
	if err := p.globals(); err != nil {
		return err
	}
	before := newFS(Pos{})
	for len(p.g.Filesystems) < p.g.numFS.V {
		l, n, err := p.open("filesystem", len(p.g.Filesystems), p.g.numFS, "num_filesystems")
		if err != nil {
			return err
		}
		if before, err = p.filesystem(l.pos, n, before); err != nil {
			return err
		}
		p.g.Filesystems = append(p.g.Filesystems, before.Filesystem)
	}
	last := newGroup(Pos{})
	for len(p.g.Groups) < p.g.numGroups.V {
		l, n, err := p.open("threadgroup", len(p.g.Groups), p.g.numGroups, "num_threadgroups")
		if err != nil {
			return err
		}
		if last, err = p.group(l.pos, n, last); err != nil {
			return err
		}
		if err := p.bound(&last.ThreadGroup); err != nil {
			return err
		}
		p.g.Groups = append(p.g.Groups, last.withFsync())
	}
	if l, ok := p.peek(); ok {
		p.warn(l.pos, "FFSB 5.x ignores the rest of the file, from %s on, since num_filesystems=%d and num_threadgroups=%d are read",
			l.text, p.g.numFS.V, p.g.numGroups.V)
	}
	return nil
}

// globals reads the lines before the first section. A global out of its order
// is lost to FFSB 5.x, and here.
func (p *parserB) globals() error {
	next := 0
	for {
		l, ok := p.peek()
		if !ok || l.isHeader() {
			break
		}
		p.take()
		e := p.plainEntry(l, l.key() == "callout")
		opt, known := globalsB.byKey[e.key]
		place := next
		for place < len(orderB) && orderB[place] != e.key {
			place++
		}
		switch {
		case !known:
			p.warn(l.pos, "unknown option %s; FFSB 5.x loses it and all globals after it; it knows %s", e.key, strings.Join(orderB, ", "))
			next = len(orderB)
			continue
		case place == len(orderB):
			p.warn(l.pos, "%s is out of order, and FFSB 5.x loses it and all globals after it; its order is %s", e, strings.Join(orderB, ", "))
			next = len(orderB)
			continue
		}
		next = place + 1
		if err := opt.set(&p.reader, &p.g, e); err != nil {
			return err
		}
	}
	for _, d := range []struct {
		key      string
		declared Value[int]
	}{{"num_filesystems", p.g.numFS}, {"num_threadgroups", p.g.numGroups}} {
		switch {
		case !d.declared.IsSet():
			return errorAt(p.here(), "%s is missing or out of order; legal: 1 or more, in the order %s", d.key, strings.Join(orderB, ", "))
		case d.declared.V < 1:
			return errorAt(d.declared.Pos, "%s=%d; legal: 1 or more", d.key, d.declared.V)
		}
	}
	return nil
}

// here is the place of the next line, or the end of the file.
func (p *parserB) here() Pos {
	if l, ok := p.peek(); ok {
		return l.pos
	}
	return p.end
}

// open finds the header of the next section of a kind and returns the number
// in it, with which its end is compared.
func (p *parserB) open(kind string, have int, declared Value[int], key string) (line, string, error) {
	for {
		l, ok := p.take()
		if !ok {
			return l, "", tooFew(declared, key, "["+kind+"]", have)
		}
		if n, ok := numbered(l, kind); ok {
			return l, n, nil
		}
		if _, ok := numbered(l, "threadgroup"); ok {
			return l, "", errorAt(l.pos, "%s, but only %d of the %d filesystems that num_filesystems declares come before it; legal: all [filesystemN] first",
				l.text, have, declared.V)
		}
		if n, ok := numbered(l, "filesystem"); ok {
			p.warn(l.pos, "%s is one more than num_filesystems=%d and is ignored", l.text, p.g.numFS.V)
			if _, err := p.filesystem(l.pos, n, newFS(Pos{})); err != nil {
				return l, "", err
			}
			continue
		}
		p.warn(l.pos, "%s stands outside all sections and is ignored", l.text)
	}
}

// numbered matches headers such as [filesystem0] and returns the number.
func numbered(l line, kind string) (string, bool) {
	rest, ok := strings.CutPrefix(l.text, "["+kind)
	if !ok {
		return "", false
	}
	n, _, ok := strings.Cut(rest, "]")
	n = trimBlanks(n)
	return n, ok && isDigits(n)
}

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
