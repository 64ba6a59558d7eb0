package profile

import (
	"strconv"
	"strings"
	"time"
)

// setting is one option of a section in generation C's spelling.
type setting struct {
	key, val string
	list     bool // written without '='
	pos      Pos
	plain    bool // what FFSB takes if the option is missing
}

// settings lists what a profile's globals hold.
func (p *Profile) settings() []setting {
	return []setting{
		{key: "time", val: strconv.FormatInt(int64(p.Time.V/time.Second), 10), pos: p.Time.Pos},
		toggle("directio", p.DirectIO),
		toggle("alignio", p.AlignIO),
		toggle("bufferio", p.BufferIO),
		text("callout", p.Callout),
	}
}

// settings lists what a filesystem's section holds besides its location and
// its ageing.
func (f *Filesystem) settings() []setting {
	all := []setting{
		number("num_files", f.NumFiles),
		number("num_dirs", f.NumDirs),
		size("init_size", f.InitSize, 0),
		fraction("init_util", f.InitUtil),
		size("min_filesize", f.MinSize, 0),
		size("max_filesize", f.MaxSize, 0),
	}
	for i := len(f.SizeWeights) - 1; i >= 0; i-- {
		w := f.SizeWeights[i]
		all = append(all, setting{key: "size_weight", val: formatSize(w.Size) + " " + strconv.Itoa(w.Weight), list: true, pos: w.Pos})
	}
	return append(all,
		size("create_blocksize", f.CreateBlocksize, DefaultBlocksize),
		size("age_blocksize", f.AgeBlocksize, DefaultBlocksize),
		toggle("reuse", f.Reuse),
		fraction("desired_util", f.DesiredUtil),
	)
}

// settings lists what a group's section holds besides bindfs.
func (g *ThreadGroup) settings() []setting {
	all := []setting{
		{key: "num_threads", val: strconv.Itoa(g.NumThreads.V), pos: g.NumThreads.Pos},
		size("read_size", g.ReadSize, 0),
		size("read_blocksize", g.ReadBlocksize, 0),
		toggle("read_random", g.ReadRandom),
		toggle("read_skip", g.ReadSkip),
		size("read_skipsize", g.ReadSkipsize, 0),
		size("write_size", g.WriteSize, 0),
		size("write_blocksize", g.WriteBlocksize, 0),
		toggle("write_random", g.WriteRandom),
		number("op_delay", Value[int]{V: int(g.OpDelay.V / time.Millisecond), Pos: g.OpDelay.Pos}),
	}
	for _, op := range Ops() {
		all = append(all, number(op.String()+"_weight", g.Weights[op]))
	}
	return all
}

// settings lists what a [stats] section holds.
func (s *Stats) settings() []setting {
	all := []setting{toggle("enable_stats", s.Enable), toggle("enable_range", s.EnableRange)}
	for _, v := range s.Ignore {
		all = append(all, setting{key: "ignore", val: v.V.String(), pos: v.Pos})
	}
	for i := len(s.Ranges) - 1; i >= 0; i-- {
		r := s.Ranges[i]
		all = append(all, setting{key: "msec_range", val: formatMillis(r.Lo) + " " + formatMillis(r.Hi), list: true, pos: r.Pos})
	}
	return all
}

func number(key string, v Value[int]) setting {
	return setting{key: key, val: strconv.Itoa(v.V), pos: v.Pos, plain: v.V == 0}
}

func size(key string, v Value[int64], standard int64) setting {
	return setting{key: key, val: formatSize(v.V), pos: v.Pos, plain: v.V == 0 || v.V == standard}
}

func toggle(key string, v Value[bool]) setting {
	val := "0"
	if v.V {
		val = "1"
	}
	return setting{key: key, val: val, pos: v.Pos, plain: !v.V}
}

func fraction(key string, v Value[float64]) setting {
	return setting{key: key, val: strconv.FormatFloat(v.V, 'f', -1, 64), pos: v.Pos, plain: v.V == 0}
}

func text(key string, v Value[string]) setting {
	return setting{key: key, val: v.V, pos: v.Pos, plain: v.V == ""}
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
