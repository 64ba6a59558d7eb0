package profile

import "slices"

// resolve turns the sections into the profile: what refers to another section
// is looked up, now that all are read.
func (p *parserC) resolve() error {
	if err := p.declared(); err != nil {
		return err
	}
	p.byLocation = map[string]int{}
	for i, fs := range p.fs {
		slices.Reverse(fs.SizeWeights) // FFSB 6.0's lists have the last line of the file first; 5.x keeps its order
		if _, ok := p.byLocation[fs.Location.V]; !ok {
			p.byLocation[fs.Location.V] = i
		}
	}
	for _, fs := range p.fs {
		settled, err := p.settle(fs)
		if err != nil {
			return err
		}
		p.g.Filesystems = append(p.g.Filesystems, *settled)
	}
	for _, g := range p.groups {
		if err := p.bind(g); err != nil {
			return err
		}
		slices.Reverse(g.Stats.Ranges)
		p.g.Groups = append(p.g.Groups, g.ThreadGroup)
	}
	return nil
}

// declared compares num_filesystems and num_threadgroups, which FFSB 6.0
// itself refuses, with what the file holds.
func (p *parserC) declared() error {
	for _, d := range []struct {
		key, section string
		declared     Value[int]
		held         int
	}{
		{"num_filesystems", "[filesystem]", p.g.numFS, len(p.fs)},
		{"num_threadgroups", "[threadgroup]", p.g.numGroups, len(p.groups)},
	} {
		switch {
		case !d.declared.IsSet():
		case d.held < d.declared.V:
			return tooFew(d.declared, d.key, d.section, d.held)
		case d.held > d.declared.V:
			p.warn(d.declared.Pos, "%s=%d, but the file holds %d %s sections, and all of them count", d.key, d.declared.V, d.held, d.section)
		}
	}
	return nil
}

func tooFew(declared Value[int], key, section string, held int) error {
	return errorAt(declared.Pos, "%s=%d, but the file holds %d %s sections; legal: as many sections as declared", key, declared.V, held, section)
}

// settle applies clone and ageing to a filesystem. As in FFSB 6.0, a clone
// keeps nothing of its own but its location and its ageing group, and a clone
// of a clone gets what that section itself says.
func (p *parserC) settle(fs *fsSection) (*Filesystem, error) {
	if fs.clone.IsSet() {
		base, ok := p.byLocation[fs.clone.V]
		if !ok {
			return nil, errorAt(fs.clone.Pos, "clone=%s: no filesystem has that location; legal: %s", fs.clone.V, p.locations())
		}
		if own := written(fs.settings(), fs.Pos); own != "" && p.fs[base] != fs {
			p.warn(fs.clone.Pos, "clone=%s: the section's own %s is ignored, since FFSB takes all but location from the clone", fs.clone.V, own)
		}
		if p.fs[base].clone.IsSet() && p.fs[base] != fs {
			p.warn(fs.clone.Pos, "clone=%s is itself a clone; FFSB copies only what that section itself says", fs.clone.V)
		}
		cloned := *p.fs[base]
		cloned.Pos, cloned.Location, cloned.nested = fs.Pos, fs.Location, fs.nested
		fs = &cloned
	}
	if !fs.agefs.V {
		return &fs.Filesystem, nil
	}
	if fs.nested == nil {
		return nil, errorAt(fs.agefs.Pos, "agefs=1 without an ageing group, in the [filesystem] of line %d; legal: a [threadgroup] inside that section", fs.Pos.Line)
	}
	if err := p.bind(fs.nested); err != nil {
		return nil, err
	}
	fs.Age = &fs.nested.ThreadGroup
	return &fs.Filesystem, nil
}

// bind finds the filesystem of bindfs; the first with that location, as FFSB
// does.
func (p *parserC) bind(g *groupSection) error {
	if !g.bindName.IsSet() {
		return nil
	}
	i, ok := p.byLocation[g.bindName.V]
	if !ok {
		return errorAt(g.bindName.Pos, "bindfs=%s: no filesystem has that location; legal: %s", g.bindName.V, p.locations())
	}
	g.BindFS = Value[int]{V: i, Pos: g.bindName.Pos}
	return nil
}

func (p *parserC) locations() string {
	var all []string
	for _, fs := range p.fs {
		if fs.Location.IsSet() {
			all = append(all, fs.Location.V)
		}
	}
	return someOf(all)
}

// trimAge takes from the ageing groups what FFSB reads there and never uses.
func (r *reader) trimAge(p *Profile) {
	for i := range p.Filesystems {
		g := p.Filesystems[i].Age
		if g == nil {
			continue
		}
		if g.Stats.Pos.IsValid() {
			r.warn(g.Stats.Pos, "[stats] of an ageing group; FFSB ignores it")
			g.Stats = Stats{}
		}
		if g.BindFS.IsSet() {
			r.warn(g.BindFS.Pos, "bindfs of an ageing group is ignored; it ages the filesystem that it stands in")
			g.BindFS = Value[int]{V: AnyFS}
		}
	}
}
