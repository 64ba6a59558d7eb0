package profile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// format writes the profile in generation C, as FFSB 6.0 accepts it. Clones
// and what generation B inherits are written out.
//
// Generation C has no iterations; they become a comment. Other things that it
// cannot say are an [*Error], and nothing is written: a location or callout
// with a blank or '#', and a bindfs to the second filesystem of one location.
// So is a profile that FFSB 6.0 would refuse or crash on, such as a read_skip
// of generation A over whole blocks.
func format(w io.Writer, p *Profile) error {
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

func (f *formatter) settings(depth int, all []optionLine) {
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
	f.settings(0, profileLines(p))
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
	f.settings(1, filesystemLines(fs))
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
	f.settings(depth+1, groupLines(g))
	if wantsStats(&g.Stats) {
		f.line(depth+1, "[stats]")
		f.settings(depth+2, statsLines(&g.Stats))
		f.line(depth+1, "[end]")
	}
	f.line(depth, "%s", end)
	return nil
}

// wantsStats reports whether there is anything to say in a [stats] section.
func wantsStats(s *Stats) bool {
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

// optionLine is one option of a section in generation C's spelling.
type optionLine struct {
	key, val string
	list     bool // written without '='
	pos      Pos
	plain    bool // what FFSB takes if the option is missing
}

// The lines of what a profile's globals hold.
func profileLines(p *Profile) []optionLine {
	return []optionLine{
		{key: "time", val: strconv.FormatInt(int64(p.Time.V/time.Second), 10), pos: p.Time.Pos},
		toggle("directio", p.DirectIO),
		toggle("alignio", p.AlignIO),
		toggle("bufferio", p.BufferIO),
		text("callout", p.Callout),
	}
}

// The lines of what a filesystem's section holds besides its location and
// its ageing.
func filesystemLines(f *Filesystem) []optionLine {
	all := []optionLine{
		number("num_files", f.NumFiles),
		number("num_dirs", f.NumDirs),
		size("init_size", f.InitSize, 0),
		fraction("init_util", f.InitUtil),
		size("min_filesize", f.MinSize, 0),
		size("max_filesize", f.MaxSize, 0),
	}
	for i := len(f.SizeWeights) - 1; i >= 0; i-- {
		w := f.SizeWeights[i]
		all = append(all, optionLine{key: "size_weight", val: formatSize(w.Size) + " " + strconv.Itoa(w.Weight), list: true, pos: w.Pos})
	}
	return append(all,
		size("create_blocksize", f.CreateBlocksize, DefaultBlocksize),
		size("age_blocksize", f.AgeBlocksize, DefaultBlocksize),
		toggle("reuse", f.Reuse),
		fraction("desired_util", f.DesiredUtil),
	)
}

// The lines of what a group's section holds besides bindfs.
func groupLines(g *ThreadGroup) []optionLine {
	all := []optionLine{
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

// The lines of what a [stats] section holds.
func statsLines(s *Stats) []optionLine {
	all := []optionLine{toggle("enable_stats", s.Enable), toggle("enable_range", s.EnableRange)}
	for _, v := range s.Ignore {
		all = append(all, optionLine{key: "ignore", val: v.V.String(), pos: v.Pos})
	}
	for i := len(s.Ranges) - 1; i >= 0; i-- {
		r := s.Ranges[i]
		all = append(all, optionLine{key: "msec_range", val: formatMillis(r.Lo) + " " + formatMillis(r.Hi), list: true, pos: r.Pos})
	}
	return all
}

func number(key string, v Value[int]) optionLine {
	return optionLine{key: key, val: strconv.Itoa(v.V), pos: v.Pos, plain: v.V == 0}
}

func size(key string, v Value[int64], standard int64) optionLine {
	return optionLine{key: key, val: formatSize(v.V), pos: v.Pos, plain: v.V == 0 || v.V == standard}
}

func toggle(key string, v Value[bool]) optionLine {
	val := "0"
	if v.V {
		val = "1"
	}
	return optionLine{key: key, val: val, pos: v.Pos, plain: !v.V}
}

func fraction(key string, v Value[float64]) optionLine {
	return optionLine{key: key, val: strconv.FormatFloat(v.V, 'f', -1, 64), pos: v.Pos, plain: v.V == 0}
}

func text(key string, v Value[string]) optionLine {
	return optionLine{key: key, val: v.V, pos: v.Pos, plain: v.V == ""}
}

// formatMillis writes whole microseconds as milliseconds.
func formatMillis(d time.Duration) string {
	return strconv.FormatFloat(float64(d/time.Microsecond)/1000, 'f', 3, 64)
}

// formatSize writes a size with the largest suffix that leaves it whole.
func formatSize(n int64) string {
	for _, u := range []struct {
		shift  uint
		suffix string
	}{{30, "g"}, {20, "m"}, {10, "k"}} {
		if n > 0 && n&(1<<u.shift-1) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}
