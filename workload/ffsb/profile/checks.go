package profile

// checker looks over a whole profile for what FFSB refuses after reading, or
// should refuse and does not.
type checker struct {
	profile *Profile
	gen     Generation                                // whose rules and spelling hold
	end     Pos                                       // where a missing section is reported
	warn    func(pos Pos, format string, args ...any) // nil drops warnings
}

// name spells an option as the profile's generation does.
func (c *checker) name(key string) string {
	if c.gen == GenA {
		if name, ok := namesOfA[key]; ok {
			return name
		}
	}
	return key
}

func (c *checker) note(pos Pos, format string, args ...any) {
	if c.warn != nil {
		c.warn(pos, format, args...)
	}
}

// profileHolds checks everything that does not depend on running it, and, if
// it is to run, that too.
func (c *checker) profileHolds() error {
	p := c.profile
	if len(p.Filesystems) == 0 {
		return errorAt(c.end, "no [filesystem] section; legal: one or more")
	}
	for i := range p.Filesystems {
		if err := c.filesystem(&p.Filesystems[i]); err != nil {
			return err
		}
	}
	c.sameLocation()
	if len(p.Groups) == 0 && (!p.BuildOnly() || c.gen == GenA) {
		return c.noGroup()
	}
	for i := range p.Groups {
		if err := c.group(&p.Groups[i]); err != nil {
			return err
		}
	}
	if !p.BuildOnly() {
		return c.run()
	}
	switch {
	case c.gen == GenA:
		c.note(c.end, "no iterations: FFSB only builds the fileset")
	case !p.Time.IsSet():
		c.note(c.end, "no time: FFSB only builds the fileset")
	}
	if err := c.run(); err != nil {
		c.note(err.(*Error).Pos, "builds the fileset only, but would not run: %s", err.(*Error).Msg)
	}
	return nil
}

// noGroup reports that nothing would run. A missing [end] hides groups inside
// a filesystem, where FFSB looks for the ageing group.
func (c *checker) noGroup() error {
	return errorAt(c.end, "no %s section outside a filesystem; legal: one or more, after the [end] of the filesystem before it", c.name("[threadgroup]"))
}

func (c *checker) filesystem(f *Filesystem) error {
	if f.Location.V == "" {
		return errorAt(f.Pos, "%s has no location; legal: location=DIRECTORY", c.name("[filesystem]"))
	}
	if err := c.sizes(f); err != nil {
		return err
	}
	if f.Age == nil {
		return nil
	}
	if f.Reuse.V {
		return errorAt(f.Reuse.Pos, "reuse=1 beside agefs=1; legal: only one of them, since ageing needs a new fileset")
	}
	if f.DesiredUtil.V == 0 {
		c.note(f.Age.Pos, "ageing without desired_util ends at once")
	}
	if err := c.group(f.Age); err != nil {
		return err
	}
	if needy := firstNeedy(f.Age); needy >= 0 && !f.Age.Does(OpCreate, OpCreateFsync) {
		return errorAt(f.Age.Pos, "the ageing group has %s but no create: ageing starts without files, and FFSB aborts; legal: %s=1 or more",
			weight(needy), c.name("create_weight"))
	}
	return nil
}

// sizes checks that the sizes of files can be drawn, and that filling ends.
func (c *checker) sizes(f *Filesystem) error {
	if len(f.SizeWeights) > 0 {
		sum := 0
		for _, w := range f.SizeWeights {
			sum += w.Weight
		}
		first := f.SizeWeights[len(f.SizeWeights)-1].Pos
		if sum < 1 || sum > maxWeights {
			return errorAt(first, "the weights of size_weight add up to %d; legal: 1 to %d", sum, maxWeights)
		}
		for _, v := range []Value[int64]{f.MinSize, f.MaxSize} {
			if v.IsSet() {
				c.note(v.Pos, "min_filesize and max_filesize count for nothing beside size_weight")
				break
			}
		}
	} else if f.MaxSize.V < f.MinSize.V {
		return errorAt(later(f.MinSize.Pos, f.MaxSize.Pos), "%s %d is below %s %d, so that FFSB writes until the disk is full; legal: at least as large",
			c.name("max_filesize"), f.MaxSize.V, c.name("min_filesize"), f.MinSize.V)
	}
	if f.NumFiles.V > 0 {
		if f.InitSize.V > 0 || f.InitUtil.V > 0 {
			c.note(f.NumFiles.Pos, "num_files=%d: FFSB ignores init_size and init_util beside it", f.NumFiles.V)
		}
		return nil
	}
	if f.HasFiles() && f.MaxFileSize() == 0 {
		return errorAt(later(f.InitSize.Pos, f.InitUtil.Pos), "init_size or init_util with files of 0 bytes, which never fill anything; legal: with max_filesize or size_weight above 0")
	}
	return nil
}

// later returns the position further down.
func later(a, b Pos) Pos {
	if a.Line > b.Line {
		return a
	}
	return b
}

func (c *checker) sameLocation() {
	seen := map[string]Pos{}
	for i := range c.profile.Filesystems {
		loc := c.profile.Filesystems[i].Location
		if first, ok := seen[loc.V]; ok {
			c.note(loc.Pos, "location=%s is that of line %d too: FFSB deletes there what the other filesystem built", loc.V, first.Line)
			continue
		}
		seen[loc.V] = loc.Pos
	}
}

// weight is how a message names the weight of an operation.
func weight(op Op) string { return op.String() + "_weight" }

// group makes FFSB's own checks of a group, and those that it forgets.
func (c *checker) group(g *ThreadGroup) error {
	if err := c.threads(g); err != nil {
		return err
	}
	sum := g.TotalWeight()
	if sum < 1 || sum > maxWeights {
		return errorAt(g.Pos, "the weights of this %s add up to %d; legal: 1 to %d", c.name("[threadgroup]"), sum, maxWeights)
	}
	for _, op := range Ops() {
		w := g.Weights[op]
		switch {
		case w.V == 0:
		case op.Reads() && g.ReadBlocksize.V == 0:
			return errorAt(w.Pos, "%s needs %s; legal: 1 or more bytes", c.name(weight(op)), c.name("read_blocksize"))
		case op.Writes() && g.WriteBlocksize.V == 0:
			return errorAt(w.Pos, "%s needs %s%s; legal: 1 or more bytes", c.name(weight(op)), c.name("write_blocksize"), forgotten(op))
		}
	}
	if err := c.skips(g); err != nil {
		return err
	}
	c.emptyOps(g)
	return nil
}

func forgotten(op Op) string {
	switch op {
	case OpWriteFsync, OpCreateFsync, OpAppendFsync:
		return ", without which FFSB divides by zero"
	}
	return ""
}

func (c *checker) threads(g *ThreadGroup) error {
	key := c.name("num_threads")
	switch {
	case g.NumThreads.V > 0:
		return nil
	case !g.NumThreads.IsSet() && g.Pos.IsValid():
		return errorAt(g.Pos, "%s has no %s; legal: %s=1 or more", c.name("[threadgroup]"), key, key)
	case c.gen == GenC:
		c.note(g.NumThreads.Pos, "num_threads=0: the group does nothing")
		return nil
	}
	return errorAt(g.NumThreads.Pos, "%s=0; legal: 1 or more", key)
}

func (c *checker) skips(g *ThreadGroup) error {
	switch {
	case !g.ReadSkip.V:
		return nil
	case g.ReadRandom.V:
		return errorAt(later(g.ReadRandom.Pos, g.ReadSkip.Pos), "read_random and read_skip exclude each other; legal: one of them")
	case g.ReadSkipsize.V == 0:
		return errorAt(g.ReadSkip.Pos, "read_skip needs %s; legal: 1 or more bytes", c.name("read_skipsize"))
	case g.Does(OpRead) && g.ReadSize.V%g.ReadBlocksize.V == 0 && c.gen != GenA:
		return errorAt(later(g.ReadSize.Pos, g.ReadSkip.Pos), "read_size %d is a multiple of read_blocksize %d, which makes FFSB abort with read_skip; legal: any other size, such as %d",
			g.ReadSize.V, g.ReadBlocksize.V, g.ReadSize.V+1)
	}
	return nil
}

// emptyOps warns of operations that move no byte, or not all.
func (c *checker) emptyOps(g *ThreadGroup) {
	if g.Does(OpRead) && g.ReadSize.V == 0 {
		c.note(g.Weights[OpRead].Pos, "%s is 0: each read opens a file and reads nothing", c.name("read_size"))
	}
	for _, op := range []Op{OpWrite, OpWriteFsync, OpAppend, OpAppendFsync} {
		if g.Does(op) && g.WriteSize.V == 0 {
			c.note(g.Weights[op].Pos, "%s is 0: each %s opens a file and writes nothing", c.name("write_size"), op)
		}
	}
	if g.Does(OpRead) && g.ReadRandom.V && g.ReadSize.V > 0 && g.ReadSize.V < g.ReadBlocksize.V {
		c.note(g.ReadSize.Pos, "read_size %d is below read_blocksize %d: random reads do whole blocks only, so none", g.ReadSize.V, g.ReadBlocksize.V)
	}
	if g.Does(OpWrite, OpWriteFsync) && g.WriteRandom.V && g.WriteSize.V > 0 && g.WriteSize.V < g.WriteBlocksize.V {
		c.note(g.WriteSize.Pos, "write_size %d is below write_blocksize %d: random writes do whole blocks only, so none", g.WriteSize.V, g.WriteBlocksize.V)
	}
}
