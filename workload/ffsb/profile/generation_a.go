package profile

import "strings"

// globalsOfA are the globals of generation A. One filesystem is all it has.
type globalsOfA struct {
	globals
	fs                   fsSection
	numConfigs           Value[int]
	utilization          Value[float64]
	initCreate, initDele Value[int]
}

var globalsA = newOptions("the globals", "A", []option[globalsOfA]{
	countOption("numconfigs", "A", func(g *globalsOfA) *Value[int] { return &g.numConfigs }),
	countOption("numfiles", "A", func(g *globalsOfA) *Value[int] { return &g.fs.NumFiles }),
	countOption("numdirs", "A", func(g *globalsOfA) *Value[int] { return &g.fs.NumDirs }),
	sizeOption("maxfilesize", "A", maxSize, func(g *globalsOfA) *Value[int64] { return &g.fs.MaxSize }),
	sizeOption("minfilesize", "A", maxSize, func(g *globalsOfA) *Value[int64] { return &g.fs.MinSize }),
	fractionOption("utilization", "A", func(g *globalsOfA) *Value[float64] { return &g.utilization }),
	countOption("initialcreateweight", "A", func(g *globalsOfA) *Value[int] { return &g.initCreate }),
	countOption("initialdeleteweight", "A", func(g *globalsOfA) *Value[int] { return &g.initDele }),
	textOption("location", "A", func(g *globalsOfA) *Value[string] { return &g.fs.Location }),
	boolOption("directio", "A", func(g *globalsOfA) *Value[bool] { return &g.DirectIO }),
	boolOption("bufferedio", "A", func(g *globalsOfA) *Value[bool] { return &g.BufferIO }),
	ignoredOption[globalsOfA]("verbose", "A"),
	ignoredOption[globalsOfA]("reage", "A"),
})

var configA = newOptions("[config]", "A", []option[groupSection]{
	countOption("threads", "A", func(g *groupSection) *Value[int] { return &g.NumThreads }),
	countOption("iterations", "A", func(g *groupSection) *Value[int] { return &g.Iterations }),
	sizeOption("readsize", "A", max32, func(g *groupSection) *Value[int64] { return &g.ReadSize }),
	sizeOption("readblocksize", "A", max32, func(g *groupSection) *Value[int64] { return &g.ReadBlocksize }),
	sizeOption("readseeksize", "A", max32, func(g *groupSection) *Value[int64] { return &g.ReadSkipsize }),
	sizeOption("writesize", "A", max32, func(g *groupSection) *Value[int64] { return &g.WriteSize }),
	countOption("readweight", "A", func(g *groupSection) *Value[int] { return &g.Weights[OpRead] }),
	countOption("writeweight", "A", func(g *groupSection) *Value[int] { return &g.Weights[OpAppend] }),
	countOption("createweight", "A", func(g *groupSection) *Value[int] { return &g.Weights[OpCreate] }),
	countOption("deleteweight", "A", func(g *groupSection) *Value[int] { return &g.Weights[OpDelete] }),
})

// namesOfA is how generation A spells the options that checks speak of.
var namesOfA = map[string]string{
	"[filesystem]":     "the globals",
	"[threadgroup]":    "[config]",
	"location":         "location",
	"num_threads":      "threads",
	"num_files":        "numfiles",
	"min_filesize":     "minfilesize",
	"max_filesize":     "maxfilesize",
	"read_size":        "readsize",
	"read_blocksize":   "readblocksize",
	"read_skipsize":    "readseeksize",
	"write_size":       "writesize",
	"write_blocksize":  "writesize",
	"desired_util":     "utilization",
	"create_weight":    "createweight",
	"delete_weight":    "deleteweight",
	"append_weight":    "writeweight",
	"read_weight":      "readweight",
	"write_weight":     "writeweight",
	"create_blocksize": "writesize",
}

// parserA reads generation A: keys, then [config] sections that end where the
// next one begins.
type parserA struct {
	reader
	g globalsOfA
}

func parseA(r reader) (*reader, *Profile, error) {
	p := &parserA{reader: r}
	if err := p.file(); err != nil {
		return nil, nil, err
	}
	return &p.reader, &p.g.Profile, nil
}

func (p *parserA) file() error {
	p.g.fs = *newFS(Pos{})
	var groups []*groupSection
	for {
		l, ok := p.take()
		if !ok {
			break
		}
		var err error
		switch {
		case l.isHeader():
			if _, ok := numbered(l, "config"); !ok {
				return errorAt(l.pos, "unknown section %s; legal in a profile of generation A: [config0], [config1] and so on", l.text)
			}
			p.section = l.pos
			groups = append(groups, newGroup(l.pos))
		case len(groups) == 0:
			err = setA(&p.reader, globalsA, &p.g, l)
		default:
			err = setA(&p.reader, configA, groups[len(groups)-1], l)
		}
		if err != nil {
			return err
		}
	}
	return p.assemble(groups)
}

func setA[S any](r *reader, known options[S], s *S, l line) error {
	e := r.plainEntry(l, false)
	opt, ok := known.byKey[e.key]
	switch {
	case !strings.Contains(l.text, "="):
		return errorAt(l.pos, "%s: no '='; legal: KEY=VALUE, with a key out of %s", l.text, known.legal())
	case ok:
		return opt.set(r, s, e)
	case globalsA.has(e.key):
		return errorAt(l.pos, "%s does not belong in [config]; legal: before the first section", e.key)
	case configA.has(e.key):
		return errorAt(l.pos, "%s does not belong in the globals; legal: in [config]", e.key)
	}
	return errorAt(l.pos, "unknown option %s; legal in %s of generation A: %s", e.key, known.title, known.legal())
}

// assemble makes the one filesystem and the groups of what was read.
func (p *parserA) assemble(groups []*groupSection) error {
	declared := p.g.numConfigs
	switch {
	case !declared.IsSet():
		p.warn(p.end, "numconfigs is missing; all %d [config] sections count", len(groups))
	case len(groups) < declared.V:
		return tooFew(declared, "numconfigs", "[config]", len(groups))
	case len(groups) > declared.V:
		p.warn(groups[declared.V].Pos, "numconfigs=%d; this [config] and all after it are ignored", declared.V)
		groups = groups[:declared.V]
	}
	for _, g := range groups {
		g.ReadSkip = Value[bool]{V: g.ReadSkipsize.V > 0, Pos: g.ReadSkipsize.Pos}
		// Generation A writes in one piece; without a size, FFSB's default.
		g.WriteBlocksize = g.WriteSize
		if g.WriteSize.V == 0 {
			g.WriteBlocksize = Value[int64]{V: DefaultBlocksize}
		}
		p.g.Groups = append(p.g.Groups, g.ThreadGroup)
	}
	fs := &p.g.fs
	if fs.Pos = fs.Location.Pos; !fs.Pos.IsValid() {
		fs.Pos = Pos{File: p.end.File, Line: 1}
	}
	if p.g.utilization.V > 0 {
		age := newGroup(p.g.utilization.Pos)
		age.NumThreads = Value[int]{V: 1}
		age.WriteBlocksize = Value[int64]{V: DefaultBlocksize}
		age.Weights[OpCreate], age.Weights[OpDelete] = p.g.initCreate, p.g.initDele
		fs.Age, fs.DesiredUtil = &age.ThreadGroup, p.g.utilization
	}
	p.g.Filesystems = []Filesystem{fs.Filesystem}
	return nil
}
