package profile

import (
	"math"
	"strings"
	"time"
)

// globals are the settings outside the sections.
type globals struct {
	Profile
	numFS, numGroups Value[int] // declared; generation B, tolerated in C
}

// fsSection is a filesystem as its section gives it, before clone and ageing
// are resolved.
type fsSection struct {
	Filesystem
	clone  Value[string]
	agefs  Value[bool]
	nested *groupSection // whether ageing is on or not
}

// groupSection is a group as its section gives it, before bindfs is resolved.
type groupSection struct {
	ThreadGroup
	bindName Value[string] // generation C
	fsync    Value[bool]   // generation B's fsync_file
}

func newFS(pos Pos) *fsSection {
	return &fsSection{Filesystem: Filesystem{
		Pos:             pos,
		CreateBlocksize: Value[int64]{V: DefaultBlocksize},
		AgeBlocksize:    Value[int64]{V: DefaultBlocksize},
	}}
}

func newGroup(pos Pos) *groupSection {
	return &groupSection{ThreadGroup: ThreadGroup{Pos: pos, BindFS: Value[int]{V: AnyFS}}}
}

// Which generation knows which key follows the parsers of FFSB 5.2.1 and 6.0.

var allGlobals = []option[globals]{
	timeOption("time", "BC", time.Second, func(g *globals) *Value[time.Duration] { return &g.Time }),
	boolOption("directio", "BC", func(g *globals) *Value[bool] { return &g.DirectIO }),
	boolOption("alignio", "BC", func(g *globals) *Value[bool] { return &g.AlignIO }),
	boolOption("bufferio", "C", func(g *globals) *Value[bool] { return &g.BufferIO }),
	textOption("callout", "BC", func(g *globals) *Value[string] { return &g.Callout }),
	ignoredOption[globals]("verbose", "BC"),
	tolerated(boolOption("bufferedio", "BC", func(g *globals) *Value[bool] { return &g.BufferIO })),
	tolerated(countOption("num_filesystems", "BC", func(g *globals) *Value[int] { return &g.numFS })),
	tolerated(countOption("num_threadgroups", "BC", func(g *globals) *Value[int] { return &g.numGroups })),
}

// tolerated is a global of generation B that FFSB 6.0 dies of, but that most
// profiles on the web keep above a body of generation C.
func tolerated(opt option[globals]) option[globals] {
	read := opt.set
	opt.set = func(r *reader, g *globals, e entry) error {
		if r.gen == GenC {
			switch e.key {
			case "bufferedio":
				r.warn(e.pos, "%s is FFSB 5.x's spelling of bufferio; FFSB 6.0 itself refuses it", e)
			default:
				r.warn(e.pos, "%s is an option of FFSB 5.x; FFSB 6.0 itself refuses it and counts the sections", e)
			}
		}
		return read(r, g, e)
	}
	return opt
}

var allFS = []option[fsSection]{
	pathOption("location", "BC", func(f *fsSection) *Value[string] { return &f.Location }),
	countOption("num_files", "BC", func(f *fsSection) *Value[int] { return &f.NumFiles }),
	countOption("num_dirs", "BC", func(f *fsSection) *Value[int] { return &f.NumDirs }),
	sizeOption("min_filesize", "BC", maxSize, func(f *fsSection) *Value[int64] { return &f.MinSize }),
	sizeOption("max_filesize", "BC", maxSize, func(f *fsSection) *Value[int64] { return &f.MaxSize }),
	{name: "size_weight", gens: "C", list: true, set: setSizeWeight},
	blocksizeOption("create_blocksize", "BC", func(f *fsSection) *Value[int64] { return &f.CreateBlocksize }),
	blocksizeOption("age_blocksize", "BC", func(f *fsSection) *Value[int64] { return &f.AgeBlocksize }),
	boolOption("reuse", "BC", func(f *fsSection) *Value[bool] { return &f.Reuse }),
	boolOption("agefs", "BC", func(f *fsSection) *Value[bool] { return &f.agefs }),
	fractionOption("desired_util", "BC", func(f *fsSection) *Value[float64] { return &f.DesiredUtil }),
	sizeOption("init_size", "C", maxSize, func(f *fsSection) *Value[int64] { return &f.InitSize }),
	fractionOption("init_util", "C", func(f *fsSection) *Value[float64] { return &f.InitUtil }),
	textOption("clone", "C", func(f *fsSection) *Value[string] { return &f.clone }),
}

func setSizeWeight(r *reader, f *fsSection, e entry) error {
	const legal = "; legal: size_weight SIZE WEIGHT, such as size_weight 4k 33"
	ws := words(e.val)
	if len(ws) != 2 {
		return e.err("needs a size and a weight" + legal)
	}
	size, p := parseSize(r.gen, ws[0], maxSize)
	if p != "" {
		return e.err(problem("size "+ws[0]+": ") + p)
	}
	weight, p := parseCount(ws[1])
	if p != "" {
		return e.err(problem("weight "+ws[1]+": ") + p)
	}
	f.SizeWeights = append(f.SizeWeights, SizeWeight{Size: size, Weight: weight, Pos: e.pos})
	return nil
}

var allGroup = append([]option[groupSection]{
	countOption("num_threads", "BC", func(g *groupSection) *Value[int] { return &g.NumThreads }),
	{name: "bindfs", gens: "B", set: setBindIndex},
	textOption("bindfs", "C", func(g *groupSection) *Value[string] { return &g.bindName }),
	sizeOption("read_size", "BC", max32, func(g *groupSection) *Value[int64] { return &g.ReadSize }),
	sizeOption("read_blocksize", "BC", max32, func(g *groupSection) *Value[int64] { return &g.ReadBlocksize }),
	sizeOption("read_skipsize", "BC", max32, func(g *groupSection) *Value[int64] { return &g.ReadSkipsize }),
	boolOption("read_random", "BC", func(g *groupSection) *Value[bool] { return &g.ReadRandom }),
	{name: "read_skip", gens: "BC", set: setReadSkip},
	sizeOption("write_size", "BC", max32, func(g *groupSection) *Value[int64] { return &g.WriteSize }),
	sizeOption("write_blocksize", "BC", max32, func(g *groupSection) *Value[int64] { return &g.WriteBlocksize }),
	boolOption("write_random", "BC", func(g *groupSection) *Value[bool] { return &g.WriteRandom }),
	boolOption("fsync_file", "B", func(g *groupSection) *Value[bool] { return &g.fsync }),
	timeOption("op_delay", "BC", time.Millisecond, func(g *groupSection) *Value[time.Duration] { return &g.OpDelay }),
}, weightOptions()...)

func weightOptions() []option[groupSection] {
	var all []option[groupSection]
	for _, op := range Ops() {
		gens, field := "C", func(g *groupSection) *Value[int] { return &g.Weights[op] }
		switch op {
		case OpRead, OpReadall, OpWrite, OpCreate, OpAppend, OpDelete, OpCreatedir:
			gens = "BC"
		case OpMetaop:
			all = append(all, countOption("meta_weight", "B", field))
		}
		all = append(all, countOption(op.String()+"_weight", gens, field))
	}
	return all
}

// setBindIndex reads generation B's number of a filesystem. -1, which is what
// 5.x starts with, binds to none.
func setBindIndex(r *reader, g *groupSection, e entry) error {
	n := AnyFS
	if e.val != "-1" {
		var p problem
		if n, p = parseCount(e.val); p != "" {
			return e.err("not the number of a filesystem; legal: from 0 to num_filesystems-1, or -1 for any")
		}
	}
	store(r, &g.BindFS, n, e)
	return nil
}

// setReadSkip reads a number of which FFSB 6.0 looks at the lowest byte only.
func setReadSkip(r *reader, g *groupSection, e entry) error {
	n, p := parseCount(e.val)
	switch {
	case p != "":
		return e.err(p)
	case n != 0 && n&0xff == 0:
		return e.err("off in FFSB, which looks at the lowest byte only" + legalBool)
	case n > 1:
		r.warn(e.pos, "%s: FFSB takes it for 1", e)
	}
	store(r, &g.ReadSkip, n != 0, e)
	return nil
}

var allStats = []option[Stats]{
	boolOption("enable_stats", "BC", func(s *Stats) *Value[bool] { return &s.Enable }),
	boolOption("enable_range", "C", func(s *Stats) *Value[bool] { return &s.EnableRange }),
	{name: "ignore", gens: "BC", set: setIgnore},
	{name: "bucket", gens: "B", list: true, set: setRange},
	{name: "msec_range", gens: "C", list: true, set: setRange},
}

// setIgnore matches as FFSB does: without regard to case, and to whatever
// follows the name.
func setIgnore(r *reader, s *Stats, e entry) error {
	if e.val == "" {
		return e.err(problem("no value; legal: " + strings.Join(syscallNames[:], ", ")))
	}
	for call, name := range syscallNames {
		if len(e.val) >= len(name) && strings.EqualFold(e.val[:len(name)], name) {
			if !s.Ignores(Syscall(call)) {
				s.Ignore = append(s.Ignore, Value[Syscall]{V: Syscall(call), Pos: e.pos})
			}
			return nil
		}
	}
	r.warn(e.pos, "%s: no such system call, nothing is ignored; FFSB knows %s", e, strings.Join(syscallNames[:], ", "))
	return nil
}

func setRange(_ *reader, s *Stats, e entry) error {
	lo, hi, p := parseRange(e.val)
	if p != "" {
		return e.err(p)
	}
	s.Ranges = append(s.Ranges, Range{Lo: lo, Hi: hi, Pos: e.pos})
	return nil
}

// maxWeights is what a sum of weights may be: FFSB adds them up as a C int.
const maxWeights = math.MaxInt32
