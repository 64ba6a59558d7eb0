package profile

// CheckRun reports what would make FFSB abort once the groups run: a file
// smaller than what an operation reads or writes, an operation without a
// file, no thread at all. Parse does so itself for a profile that has a time;
// call it before running one that only builds its fileset.
func (p *Profile) CheckRun() error {
	c := checker{profile: p, gen: p.Generation, end: Pos{File: p.Name, Line: 1}}
	return c.run()
}

func (c *checker) run() error {
	p := c.profile
	if len(p.Groups) == 0 {
		return c.noGroup()
	}
	if p.TotalThreads() == 0 {
		return errorAt(p.Groups[0].NumThreads.Pos, "no group has a thread; legal: %s=1 or more in one of them", c.name("num_threads"))
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		if g.NumThreads.V == 0 {
			continue
		}
		for j := range p.Filesystems {
			if g.BindFS.V != AnyFS && g.BindFS.V != j {
				continue
			}
			if err := c.meets(g, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// meets checks a group against a filesystem that it may use.
func (c *checker) meets(g *ThreadGroup, fs int) error {
	f := &c.profile.Filesystems[fs]
	least := f.MinFileSize()
	if g.Does(OpRead) {
		if need := readSpan(g); least < need {
			return errorAt(g.Weights[OpRead].Pos, "a read spans %d bytes, but files in %s can be as small as %d, where FFSB aborts; legal: %s up to the smallest file size",
				need, f.Location.V, least, c.name("read_size"))
		}
	}
	for _, op := range []Op{OpWrite, OpWriteFsync} {
		if g.Does(op) && least < g.WriteSize.V {
			return errorAt(g.Weights[op].Pos, "a %s spans %d bytes, but files in %s can be as small as %d, where FFSB aborts; legal: %s up to the smallest file size",
				op, g.WriteSize.V, f.Location.V, least, c.name("write_size"))
		}
	}
	return c.findsFiles(g, fs)
}

// readSpan is how many bytes a file must have for one read: with read_skip
// the skipped parts count, too.
func readSpan(g *ThreadGroup) int64 {
	if !g.ReadSkip.V {
		return g.ReadSize.V
	}
	block := max(g.ReadBlocksize.V, 1)
	blocks, step := g.ReadSize.V/block, block+g.ReadSkipsize.V
	if blocks > maxSize/2/step {
		return maxSize
	}
	return blocks*step + g.ReadSize.V%block
}

// findsFiles checks that operations which choose a file can find one. FFSB
// aborts when there is none.
func (c *checker) findsFiles(g *ThreadGroup, fs int) error {
	f := &c.profile.Filesystems[fs]
	needy := firstNeedy(g)
	if needy < 0 || f.HasFiles() {
		return nil
	}
	if f.Reuse.V {
		c.note(g.Weights[needy].Pos, "%s needs files, and %s has only those that reuse=1 finds", weight(needy), f.Location.V)
		return nil
	}
	if c.created(fs) {
		c.note(g.Weights[needy].Pos, "%s needs files, and %s starts without any: FFSB aborts if it comes before the first create", weight(needy), f.Location.V)
		return nil
	}
	return errorAt(g.Weights[needy].Pos, "%s needs files, but %s starts without any and no group creates one; legal: %s=1 or more", c.name(weight(needy)), f.Location.V, c.name("num_files"))
}

// created reports whether any group may create files in the filesystem.
func (c *checker) created(fs int) bool {
	for i := range c.profile.Groups {
		g := &c.profile.Groups[i]
		if (g.BindFS.V == AnyFS || g.BindFS.V == fs) && g.NumThreads.V > 0 && g.Does(OpCreate, OpCreateFsync) {
			return true
		}
	}
	return false
}

// firstNeedy returns the first operation of the group that chooses a file, or
// -1.
func firstNeedy(g *ThreadGroup) Op {
	for _, op := range Ops() {
		if op.NeedsFile() && g.Does(op) {
			return op
		}
	}
	return -1
}
