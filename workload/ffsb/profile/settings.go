package profile

import (
	"slices"
	"strconv"
	"strings"
)

// setting is one option of a section, in generation C's spelling.
type setting struct {
	key   string
	pos   Pos
	plain bool // what FFSB takes if the option is missing
}

// set is an option's setting; standard is what FFSB takes if it is missing,
// besides the zero value.
func set[T comparable](key string, v Value[T], standard ...T) setting {
	var zero T
	return setting{key: key, pos: v.Pos, plain: v.V == zero || slices.Contains(standard, v.V)}
}

// settings lists what a filesystem's section holds besides its location and
// its ageing.
func (f *Filesystem) settings() []setting {
	all := []setting{
		set("num_files", f.NumFiles), set("num_dirs", f.NumDirs), set("init_size", f.InitSize), set("init_util", f.InitUtil),
		set("min_filesize", f.MinSize), set("max_filesize", f.MaxSize),
	}
	for _, w := range slices.Backward(f.SizeWeights) {
		all = append(all, setting{key: "size_weight", pos: w.Pos})
	}
	return append(all,
		set("create_blocksize", f.CreateBlocksize, DefaultBlocksize), set("age_blocksize", f.AgeBlocksize, DefaultBlocksize),
		set("reuse", f.Reuse), set("desired_util", f.DesiredUtil),
	)
}

// settings lists what a group's section holds besides bindfs.
func (g *ThreadGroup) settings() []setting {
	all := []setting{
		{key: "num_threads", pos: g.NumThreads.Pos},
		set("read_size", g.ReadSize), set("read_blocksize", g.ReadBlocksize), set("read_random", g.ReadRandom),
		set("read_skip", g.ReadSkip), set("read_skipsize", g.ReadSkipsize),
		set("write_size", g.WriteSize), set("write_blocksize", g.WriteBlocksize), set("write_random", g.WriteRandom),
		set("op_delay", g.OpDelay),
	}
	for _, op := range Ops() {
		all = append(all, set(op.String()+"_weight", g.Weights[op]))
	}
	return all
}

// written names the settings that stand in the file after the header.
func written(all []setting, header Pos) string {
	return named(all, func(s setting) bool { return s.pos.Line > header.Line })
}

// inherited names the settings that count and were written before the header.
func inherited(all []setting, header Pos) string {
	return named(all, func(s setting) bool {
		return s.pos.IsValid() && s.pos.Line < header.Line && !s.plain
	})
}

func named(all []setting, which func(setting) bool) string {
	var keys []string
	for _, s := range all {
		if which(s) && (len(keys) == 0 || keys[len(keys)-1] != s.key) {
			keys = append(keys, s.key)
		}
	}
	return strings.Join(keys, ", ")
}

// someOf joins what is legal, cut short where a file holds very much of it.
func someOf(all []string) string {
	const most = 8
	switch {
	case len(all) == 0:
		return "none, since no filesystem has a location"
	case len(all) > most:
		return strings.Join(all[:most], ", ") + " and " + strconv.Itoa(len(all)-most) + " more"
	}
	return strings.Join(all, ", ")
}
