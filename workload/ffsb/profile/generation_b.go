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
