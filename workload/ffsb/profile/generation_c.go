package profile

import "strings"

var (
	globalsC = newOptions("the globals", "C", allGlobals)
	fsC      = newOptions("[filesystem]", "C", allFS)
	groupC   = newOptions("[threadgroup]", "C", allGroup)
	statsC   = newOptions("[stats]", "C", allStats)
)

// parserC reads generation C as FFSB 6.0 does: sections nest, and a key is
// looked up in the innermost one.
type parserC struct {
	reader
	g      globals
	fs     []*fsSection
	groups []*groupSection

	byLocation map[string]int // the first filesystem there, as FFSB searches
}

func parseC(r reader) (*reader, *Profile, error) {
	p := &parserC{reader: r}
	if err := p.file(); err != nil {
		return nil, nil, err
	}
	return &p.reader, &p.g.Profile, nil
}

// file reads the globals, which may stand anywhere between the sections, and
// the sections, in any order.
func (p *parserC) file() error {
	for {
		l, ok := p.take()
		if !ok {
			break
		}
		p.section = Pos{}
		kind, err := p.header(l)
		if err != nil {
			return err
		}
		switch kind {
		case "filesystem":
			fs, err := p.filesystem(l.pos)
			if err != nil {
				return err
			}
			p.fs = append(p.fs, fs)
		case "threadgroup":
			g, err := p.group(l.pos)
			if err != nil {
				return err
			}
			p.groups = append(p.groups, g)
		case "stats":
			p.warn(l.pos, "[stats] outside any [threadgroup]; FFSB ignores it")
			if _, err := p.stats(l.pos); err != nil {
				return err
			}
		case "end":
			p.warn(l.pos, "%s closes nothing; FFSB ignores it", l.text)
		default:
			if err := setC(&p.reader, globalsC, &p.g, l); err != nil {
				return err
			}
		}
	}
	return p.resolve()
}

// header returns which section a line opens, "end" if it closes one, or "" if
// it is no header. FFSB only asks whether the line contains a name, in this
// order.
func (p *parserC) header(l line) (string, error) {
	if !l.isHeader() {
		return "", nil
	}
	text := cutComment(l.text)
	for _, kind := range []string{"filesystem", "threadgroup", "end", "stats"} {
		if !strings.Contains(text, kind) {
			continue
		}
		plain := strings.TrimPrefix(stripBlanks(text), "["+kind)
		if digits := strings.TrimSuffix(plain, "]"); digits == plain || digits != "" && !isDigits(digits) {
			p.warn(l.pos, "FFSB takes %s for [%s], since it contains that word", text, kind)
		}
		return kind, nil
	}
	return "", errorAt(l.pos, "unknown section %s; legal: [filesystem], [threadgroup], [stats], [end]", text)
}

func (p *parserC) filesystem(header Pos) (*fsSection, error) {
	fs := newFS(header)
	p.section = header
	for {
		l, ok := p.take()
		if !ok {
			p.unclosed("filesystem", header)
			return fs, nil
		}
		kind, err := p.header(l)
		if err != nil {
			return nil, err
		}
		switch kind {
		case "end":
			return fs, nil
		case "threadgroup":
			nested, err := p.group(l.pos)
			if err != nil {
				return nil, err
			}
			p.section = header
			if fs.nested != nil {
				p.warn(l.pos, "a filesystem has one ageing group; FFSB uses that of line %d and ignores this one", fs.nested.Pos.Line)
				continue
			}
			fs.nested = nested
		case "":
			if err := setC(&p.reader, fsC, fs, l); err != nil {
				return nil, err
			}
		default:
			return nil, misplaced(l, kind, "[filesystem]", header, "[threadgroup], for ageing")
		}
	}
}

func (p *parserC) group(header Pos) (*groupSection, error) {
	g := newGroup(header)
	p.section = header
	for {
		l, ok := p.take()
		if !ok {
			p.unclosed("threadgroup", header)
			return g, nil
		}
		kind, err := p.header(l)
		if err != nil {
			return nil, err
		}
		switch kind {
		case "end":
			return g, nil
		case "stats":
			stats, err := p.stats(l.pos)
			if err != nil {
				return nil, err
			}
			p.section = header
			if g.Stats.Pos.IsValid() {
				p.warn(l.pos, "a group has one [stats]; FFSB uses that of line %d and ignores this one", g.Stats.Pos.Line)
				continue
			}
			g.Stats = *stats
		case "":
			if err := setC(&p.reader, groupC, g, l); err != nil {
				return nil, err
			}
		default:
			return nil, misplaced(l, kind, "[threadgroup]", header, "[stats]")
		}
	}
}

func (p *parserC) stats(header Pos) (*Stats, error) {
	s := &Stats{Pos: header}
	p.section = header
	for {
		l, ok := p.take()
		if !ok {
			p.unclosed("stats", header)
			return s, nil
		}
		kind, err := p.header(l)
		if err != nil {
			return nil, err
		}
		switch kind {
		case "end":
			return s, nil
		case "":
			if err := setC(&p.reader, statsC, s, l); err != nil {
				return nil, err
			}
		default:
			return nil, misplaced(l, kind, "[stats]", header, "no section")
		}
	}
}

func (p *parserC) unclosed(kind string, header Pos) {
	p.warn(p.end, "the file ends before the [end] of [%s] on line %d; FFSB accepts it", kind, header.Line)
}

// misplaced reports a section inside another that cannot hold it. FFSB reads
// and drops it; in all likelihood an [end] is missing.
func misplaced(l line, kind, outer string, header Pos, legal string) error {
	return errorAt(l.pos, "[%s] inside %s of line %d, where FFSB drops it; legal there: %s; perhaps the [end] before it is missing",
		kind, outer, header.Line, legal)
}

// setC reads one setting of generation C into s.
func setC[S any](r *reader, known options[S], s *S, l line) error {
	text := cutComment(l.text)
	word, rest := cutWord(text)
	name, _, glued := strings.Cut(word, "=")
	if opt, ok := known.byKey[name]; ok && opt.list {
		if glued || strings.HasPrefix(rest, "=") {
			return errorAt(l.pos, "%s: %s takes no '=', and FFSB reads nonsense after it; legal: %s, a blank and two values", text, name, name)
		}
		return opt.set(r, s, entry{key: name, val: rest, list: true, pos: l.pos})
	}
	key, val, ok := strings.Cut(text, "=")
	e := entry{key: stripBlanks(key), val: stripBlanks(val), pos: l.pos}
	if !ok {
		e.key = word
	}
	opt, isKnown := known.byKey[e.key]
	switch {
	case !isKnown:
		return unknownC(known.title, known.legal(), e.key, l.pos)
	case !ok:
		return errorAt(l.pos, "%s: no '='; legal: %s=VALUE", text, e.key)
	case len(e.val) != len(trimBlanks(val)) && !isSpacedSize(val):
		r.warn(l.pos, "%s: FFSB deletes the blanks inside the value and reads %s", e.key, e.val)
	}
	return opt.set(r, s, e)
}

// successors are keys that earlier generations knew and FFSB 6.0 refuses.
var successors = map[string]string{
	"fsync_file":          "FFSB 6.0 has write_fsync_weight, create_fsync_weight and append_fsync_weight in its place",
	"meta_weight":         "FFSB 6.0 calls it metaop_weight",
	"bucket":              "FFSB 6.0 calls it msec_range",
	"rewritefsync_weight": "FFSB 6.0 calls it write_fsync_weight",
}

func unknownC(title, legal, key string, pos Pos) error {
	if key == "" {
		return errorAt(pos, "no key before '='; legal in %s: %s", title, legal)
	}
	if hint, ok := successors[key]; ok {
		return errorAt(pos, "%s is an option of FFSB 5.x that 6.0 stops at; %s", key, hint)
	}
	for _, home := range []struct {
		title string
		has   func(string) bool
	}{
		{"[filesystem]", fsC.has}, {"[threadgroup]", groupC.has}, {"[stats]", statsC.has}, {"the globals, outside all sections", globalsC.has},
	} {
		if home.has(key) {
			return errorAt(pos, "%s does not belong in %s; legal: in %s", key, title, home.title)
		}
		if low := strings.ToLower(key); low != key && home.has(low) {
			return errorAt(pos, "unknown option %s; keys are in lower case, legal: %s", key, low)
		}
	}
	if key[0] == ';' || strings.HasPrefix(key, "//") {
		return errorAt(pos, "unknown option %s; a comment starts with #", key)
	}
	return errorAt(pos, "unknown option %s; legal in %s: %s", key, title, legal)
}
