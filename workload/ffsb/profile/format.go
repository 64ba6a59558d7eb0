package profile

import (
	"fmt"
	"io"
	"strings"
)

// Format writes the profile in generation C, as FFSB 6.0 accepts it. Clones
// and what generation B inherits are written out.
//
// Generation C has no iterations; they become a comment. Other things that it
// cannot say are an [*Error], and nothing is written: a location or callout
// with a blank or '#', and a bindfs to the second filesystem of one location.
// So is a profile that FFSB 6.0 would refuse or crash on, such as a read_skip
// of generation A over whole blocks.
func Format(w io.Writer, p *Profile) error {
	c := checker{profile: p, gen: GenC, end: Pos{File: p.Name, Line: 1}}
	if err := c.profileHolds(); err != nil {
		return err
	}
	f := formatter{profile: p}
	if err := f.write(); err != nil {
		return err
	}
	_, err := io.WriteString(w, f.out.String())
	return err
}

// formatter builds the text, so that nothing is written of what fails.
type formatter struct {
	profile *Profile
	out     strings.Builder
}

func (f *formatter) line(depth int, format string, args ...any) {
	if format != "" {
		f.out.WriteString(strings.Repeat("\t", depth))
		fmt.Fprintf(&f.out, format, args...)
	}
	f.out.WriteByte('\n')
}

func (f *formatter) settings(depth int, all []setting) {
	for _, s := range all {
		switch {
		case s.plain:
		case s.list:
			f.line(depth, "%s %s", s.key, s.val)
		default:
			f.line(depth, "%s=%s", s.key, s.val)
		}
	}
}

func (f *formatter) write() error {
	p := f.profile
	if err := sayable("callout", p.Callout); err != nil {
		return err
	}
	f.settings(0, p.settings())
	for i := range p.Filesystems {
		f.line(0, "")
		if err := f.filesystem(i); err != nil {
			return err
		}
	}
	for i := range p.Groups {
		f.line(0, "")
		if err := f.group(0, fmt.Sprintf("[threadgroup%d]", i), fmt.Sprintf("[end%d]", i), &p.Groups[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *formatter) filesystem(i int) error {
	fs := &f.profile.Filesystems[i]
	if err := sayable("location", fs.Location); err != nil {
		return err
	}
	f.line(0, "[filesystem%d]", i)
	f.line(1, "location=%s", fs.Location.V)
	f.settings(1, fs.settings())
	if fs.Age != nil {
		f.line(1, "agefs=1")
		if err := f.group(1, "[threadgroup]", "[end]", fs.Age); err != nil {
			return err
		}
	}
	f.line(0, "[end%d]", i)
	return nil
}

func (f *formatter) group(depth int, open, end string, g *ThreadGroup) error {
	f.line(depth, "%s", open)
	if n := g.Iterations.V; n > 0 {
		f.line(depth+1, "# %d iterations a thread, which FFSB 6.0 cannot express: it runs for a time", n)
	}
	if g.BindFS.V != AnyFS {
		location, err := f.bound(g)
		if err != nil {
			return err
		}
		f.line(depth+1, "bindfs=%s", location)
	}
	f.settings(depth+1, g.settings())
	if g.Stats.written() {
		f.line(depth+1, "[stats]")
		f.settings(depth+2, g.Stats.settings())
		f.line(depth+1, "[end]")
	}
	f.line(depth, "%s", end)
	return nil
}

// written reports whether there is anything to say in a [stats] section.
func (s *Stats) written() bool {
	return s.Enable.V || s.EnableRange.V || len(s.Ignore) > 0 || len(s.Ranges) > 0
}

// bound returns the location that binds the group to its filesystem.
func (f *formatter) bound(g *ThreadGroup) (string, error) {
	all := f.profile.Filesystems
	if g.BindFS.V < 0 || g.BindFS.V >= len(all) {
		return "", errorAt(g.BindFS.Pos, "bindfs is %d, but the filesystems are 0 to %d; legal: one of these, or AnyFS", g.BindFS.V, len(all)-1)
	}
	location := all[g.BindFS.V].Location.V
	for i := range g.BindFS.V {
		if all[i].Location.V == location {
			return "", errorAt(g.BindFS.Pos, "bindfs=%d cannot be written for FFSB 6.0: filesystem %d has the same location, %s, and would be taken; legal: different locations", g.BindFS.V, i, location)
		}
	}
	return location, nil
}

// sayable reports text that FFSB 6.0 would read differently.
func sayable(key string, v Value[string]) error {
	if strings.ContainsRune(v.V, '#') || stripBlanks(v.V) != v.V || strings.IndexByte(v.V, 0) >= 0 {
		return errorAt(v.Pos, "%s=%s cannot be written for FFSB 6.0, which deletes blanks and all that follows a '#'; legal: text without either", key, v.V)
	}
	if most := maxLine - len("\tlocation="); len(v.V) > most {
		return errorAt(v.Pos, "%s is %d bytes long, which does not fit a line of FFSB 6.0; legal: up to %d", key, len(v.V), most)
	}
	return nil
}
