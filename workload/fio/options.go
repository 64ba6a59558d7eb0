package fio

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/closest"
)

// Effect is what an option does here.
type Effect string

const (
	Acts    Effect = "acts"    // on what reaches the path, and when
	Quiet   Effect = "nothing" // of fio's own, or of nothing that is modelled: read, and named once
	Refused Effect = "refused" // would change the answer
)

// Option is one of fio's options as the documentation has it.
type Option struct {
	Name    string
	Aliases []string
	Effect  Effect
	About   string // what it does here, or why it does nothing or is refused
}

// option is an option with what reads it.
type option struct {
	name    string
	aliases string // separated by blanks
	flag    bool   // may stand alone
	about   string
	set     func(j *job, v string) error
	refused bool
	off     string // values, separated by blanks, with which a refused option is off
	quiet   bool
}

func (o *option) effect() Effect {
	switch {
	case o.refused:
		return Refused
	case o.quiet:
		return Quiet
	}
	return Acts
}

// Options lists all options, in the order of the documentation: what acts, what
// does nothing, what is refused.
func Options() []Option {
	var out []Option
	for _, want := range []Effect{Acts, Quiet, Refused} {
		for i := range options {
			if o := &options[i]; o.effect() == want {
				out = append(out, Option{Name: o.name, Aliases: strings.Fields(o.aliases), Effect: want, About: o.about})
			}
		}
	}
	return out
}

// options is every option of fio 3.33, and those of later releases that are
// known of.
var options = slices.Concat(acting, quiet(), refusals())

// byName finds an option by its name or an alias.
var byName = func() map[string]*option {
	m := map[string]*option{}
	for i := range options {
		o := &options[i]
		for _, n := range append(strings.Fields(o.aliases), o.name) {
			if m[n] != nil {
				panic("fio: option " + n + " is there twice")
			}
			m[n] = o
		}
	}
	return m
}()

// lookup finds an option; its error suggests one.
func lookup(name string) (*option, error) {
	if o := byName[name]; o != nil {
		return o, nil
	}
	const longest = 40 // what is far longer than any name is none that was meant
	if len(name) > longest {
		return nil, fmt.Errorf("unknown option %q; legal: the options of fio 3.33", cut(name))
	}
	var names []string
	for n := range byName {
		if d := len(n) - len(name); -3 <= d && d <= 3 { // no other is near enough
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return nil, fmt.Errorf("unknown option %q; legal: the options of fio 3.33%s", name, closest.Hint(name, names))
}

// take carries an option out.
func (o *option) take(j *job, e *entry) error {
	if e.bare && !o.flag {
		return fmt.Errorf("%s without a value; legal: %s=VALUE", o.name, o.name)
	}
	if o.refused {
		if slices.Contains(strings.Fields(o.off), strings.TrimSpace(e.value)) && !e.bare {
			return nil
		}
		msg := fmt.Sprintf("%s: %s", written(e), o.about)
		if o.off != "" {
			return fmt.Errorf("%s; legal: %s=%s", msg, o.name, strings.Join(strings.Fields(o.off), " or "))
		}
		return fmt.Errorf("%s; legal: the job without it", msg)
	}
	if o.set == nil {
		return nil
	}
	if strings.TrimSpace(e.value) == "" && !e.bare && !o.flag {
		return fmt.Errorf("%s= without a value; legal: %s=VALUE", o.name, o.name)
	}
	if err := o.set(j, strings.TrimSpace(e.value)); err != nil {
		return fmt.Errorf("%s: %w", written(e), err)
	}
	return nil
}

// written is an entry as it was written, cut where it is long.
func written(e *entry) string {
	if e.bare {
		return e.opt.name
	}
	v := e.value
	if len(v) > 60 {
		v = strings.ToValidUTF8(v[:57], "") + "..."
	}
	return e.opt.name + "=" + v
}
