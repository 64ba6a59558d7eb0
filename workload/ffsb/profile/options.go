package profile

import (
	"sort"
	"strings"
	"time"
)

// option is one key of one kind of section: how it is read into the section,
// and which generations know it.
type option[S any] struct {
	name string
	gens string // such as "BC"
	list bool   // written without '=' and may be repeated
	set  func(r *reader, s *S, e entry) error
}

// options are the keys of one kind of section.
type options[S any] struct {
	title string // as users see it, such as "[filesystem]"
	byKey map[string]option[S]
}

func newOptions[S any](title string, gens string, all []option[S]) options[S] {
	o := options[S]{title: title, byKey: map[string]option[S]{}}
	for _, opt := range all {
		if strings.Contains(opt.gens, gens) {
			o.byKey[opt.name] = opt
		}
	}
	return o
}

// legal returns all keys in one line.
func (o options[S]) legal() string {
	names := make([]string, 0, len(o.byKey))
	for name := range o.byKey {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

func (o options[S]) has(key string) bool {
	_, ok := o.byKey[key]
	return ok
}

func countOption[S any](name, gens string, field func(*S) *Value[int]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		n, p := parseCount(e.val)
		if p != "" {
			return e.err(p)
		}
		store(r, field(s), n, e)
		return nil
	}}
}

func sizeOption[S any](name, gens string, limit int64, field func(*S) *Value[int64]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		n, p := parseSize(r.gen, e.val, limit)
		if p != "" {
			return e.err(p)
		}
		store(r, field(s), n, e)
		return nil
	}}
}

// blocksizeOption is a size for which FFSB puts a default in the place of 0.
func blocksizeOption[S any](name, gens string, field func(*S) *Value[int64]) option[S] {
	opt := sizeOption(name, gens, max32, field)
	read := opt.set
	opt.set = func(r *reader, s *S, e entry) error {
		if err := read(r, s, e); err != nil {
			return err
		}
		if v := field(s); v.V == 0 {
			v.V = DefaultBlocksize
			r.warn(e.pos, "%s: FFSB uses %d instead", e, DefaultBlocksize)
		}
		return nil
	}
	return opt
}

func boolOption[S any](name, gens string, field func(*S) *Value[bool]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		b, odd, p := parseBool(r.gen, e.val)
		if p != "" {
			return e.err(p)
		}
		if odd {
			r.warn(e.pos, "%s: FFSB %s takes it for 1; 6.0 refuses it", e, short(r.gen))
		}
		store(r, field(s), b, e)
		return nil
	}}
}

func fractionOption[S any](name, gens string, field func(*S) *Value[float64]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		f, p := parseFraction(e.val)
		if p != "" {
			return e.err(p)
		}
		store(r, field(s), f, e)
		return nil
	}}
}

func timeOption[S any](name, gens string, unit time.Duration, field func(*S) *Value[time.Duration]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		n, p := parseCount(e.val)
		if p != "" {
			return e.err(p)
		}
		store(r, field(s), time.Duration(n)*unit, e)
		return nil
	}}
}

func textOption[S any](name, gens string, field func(*S) *Value[string]) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, s *S, e entry) error {
		if e.val == "" {
			return e.err("no value; legal: text")
		}
		store(r, field(s), e.val, e)
		return nil
	}}
}

// maxPathB is how many bytes of a location FFSB 5.x has room for.
const maxPathB = 255

// pathOption is a text that generation B limits to maxPathB.
func pathOption[S any](name, gens string, field func(*S) *Value[string]) option[S] {
	opt := textOption(name, gens, field)
	read := opt.set
	opt.set = func(r *reader, s *S, e entry) error {
		if r.gen == GenB && len(e.val) > maxPathB {
			return errorAt(e.pos, "%s is %d bytes long, which FFSB 5.x has no room for; legal: up to %d", e.key, len(e.val), maxPathB)
		}
		return read(r, s, e)
	}
	return opt
}

// ignoredOption is a key that FFSB takes and does nothing with.
func ignoredOption[S any](name, gens string) option[S] {
	return option[S]{name: name, gens: gens, set: func(r *reader, _ *S, e entry) error {
		if _, _, p := parseBool(r.gen, e.val); p != "" {
			return e.err(p)
		}
		return nil
	}}
}

func store[T any](r *reader, v *Value[T], val T, e entry) {
	r.again(e, v.Pos)
	*v = Value[T]{V: val, Pos: e.pos}
}
