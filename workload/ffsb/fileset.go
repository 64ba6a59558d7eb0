package ffsb

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"hostlock/machine"
	"hostlock/workload/ffsb/profile"
)

// startFiles is how many empty files FFSB puts there for ageing to begin with.
const startFiles = 10

// maxAging bounds the operations of ageing: 2^24 of them take seconds.
const maxAging = 1 << 24

// age carries out the operations of the ageing group until the file system is
// as full as desired_util says. It does what they do to the space, without I/O
// and outside time: ageing a disk takes hours, and all that it leaves for the
// benchmark is where free blocks are. FFSB looks at the utilisation once a
// second, and so overshoots; this looks after every operation. Ageing comes
// before the files of the benchmark are created, as in FFSB.
func (fs *filesystem) age(r *rand.Rand) (note string, err error) {
	c, g := fs.conf, fs.conf.Age
	var fill []*file
	for range startFiles {
		fill = append(fill, new(file))
	}
	picks := newPicker(g)
	ops := 0
	for ; fs.space.util() < c.DesiredUtil.V; ops++ {
		if ops == maxAging {
			return "", fmt.Errorf("%s: ageing %s has come to %.1f %% in %d operations; legal: a desired_util that its group reaches, larger writes, or smaller devices (device.capacity)",
				c.DesiredUtil.Pos, c.Location.V, 100*fs.space.util(), ops)
		}
		op := picks.pick(r).Base()
		if op != profile.OpCreate && len(fill) == 0 {
			return "", fmt.Errorf("%s: ageing %s has deleted all its files, where FFSB ends; legal: a smaller delete_weight", g.Pos, c.Location.V)
		}
		ok := true
		switch op {
		case profile.OpCreate:
			f := new(file)
			f.size = drawSize(r, c)
			ok = fs.space.take(&f.layout, blocksFor(f.size))
			fill = append(fill, f)
		case profile.OpAppend:
			_, ok = fs.grow(fill[r.IntN(len(fill))], g.WriteSize.V)
		case profile.OpDelete:
			i := r.IntN(len(fill))
			fs.truncate(fill[i])
			fill[i] = fill[len(fill)-1]
			fill = fill[:len(fill)-1]
		}
		if !ok {
			return "", fs.full(c.DesiredUtil.Pos, "while it is aged")
		}
	}
	return fmt.Sprintf("%s was aged to %.1f %% by %d operations on its free space, without I/O and before time began", c.Location.V, 100*fs.space.util(), ops), nil
}

// maxFiles bounds the files of a run: at some 50 bytes each, what a computer
// has memory for.
const maxFiles = 1 << 26

// fileset builds the file systems of a profile with the files that they begin
// with. Sizes come from sub-streams of the seed, one a file system.
func fileset(p *profile.Profile, devs []device, where []int, seed uint64) ([]*filesystem, []string, error) {
	total := int64(0)
	all := make([]*filesystem, len(p.Filesystems))
	needs := make([]need, len(all))
	for i := range all {
		fs := &filesystem{conf: &p.Filesystems[i], devs: devs}
		fs.meta.init(0)
		r := machine.Rand(seed, "ffsb/files/"+strconv.Itoa(i))
		if err := fs.drawFiles(r, &total); err != nil {
			return nil, nil, err
		}
		all[i] = fs
		needs[i] = need{location: fs.conf.Location.V, pos: fs.conf.NumFiles.Pos}
		if fs.conf.NumFiles.V == 0 {
			needs[i].pos = fs.conf.InitSize.Pos
		}
		for j := range fs.data.base {
			if needs[i].blocks += blocksFor(fs.data.base[j].size); needs[i].blocks > maxBlocks {
				break // more than any volume has, and far from what a number holds
			}
		}
	}
	vols, notes, err := place(needs, devs, where)
	if err != nil {
		return nil, nil, err
	}
	for i, fs := range all {
		fs.vol = vols[i]
		fs.space = newSpace(fs.vol.blocks)
		if fs.conf.Age != nil {
			note, err := fs.age(machine.Rand(seed, "ffsb/age/"+strconv.Itoa(i)))
			if err != nil {
				return nil, nil, err
			}
			notes = append(notes, note)
		}
		if err := fs.fill(machine.Rand(seed, "ffsb/util/"+strconv.Itoa(i))); err != nil {
			return nil, nil, err
		}
	}
	return all, notes, nil
}

// drawFiles makes the files that num_files or init_size ask for, with their
// sizes but without blocks: those come when it is known where the file system
// lies.
func (fs *filesystem) drawFiles(r *rand.Rand, total *int64) error {
	c := fs.conf
	switch {
	case c.NumFiles.V > 0:
		if *total += int64(c.NumFiles.V); *total > maxFiles {
			return tooMany(c.NumFiles.Pos, "num_files", *total)
		}
		fs.data.init(c.NumFiles.V)
		for i := range fs.data.base {
			fs.data.base[i].size = drawSize(r, c)
		}
	case c.InitSize.V > 0:
		// FFSB creates files until they hold so many bytes.
		var sizes []int64
		for sum := int64(0); sum < c.InitSize.V; {
			s := drawSize(r, c)
			sizes, sum = append(sizes, s), sum+s
			if *total++; *total > maxFiles {
				return tooMany(c.InitSize.Pos, "init_size", *total)
			}
		}
		fs.data.init(len(sizes))
		for i, s := range sizes {
			fs.data.base[i].size = s
		}
	default:
		fs.data.init(0)
	}
	return nil
}

func tooMany(pos profile.Pos, key string, n int64) error {
	return fmt.Errorf("%s: %s makes %d files or more in all; legal: up to %d", pos, key, n, maxFiles)
}

// fill gives the files their blocks, and makes those that init_util asks for.
func (fs *filesystem) fill(r *rand.Rand) error {
	for i := range fs.data.base {
		f := &fs.data.base[i]
		if n := blocksFor(f.size); n > 0 && !fs.space.take(&f.layout, n) {
			return fs.full(fs.conf.Pos, "while its files are created")
		}
	}
	c := fs.conf
	if c.NumFiles.V > 0 || c.InitSize.V > 0 || c.InitUtil.V == 0 {
		return nil
	}
	for n := int64(0); fs.space.util() < c.InitUtil.V; n++ {
		size := drawSize(r, c)
		f := fs.data.insert()
		f.state.Store(0)
		if !fs.space.take(&f.layout, blocksFor(size)) {
			return fs.full(c.InitUtil.Pos, "before it is as full as init_util asks")
		}
		f.size = size
		if n > maxFiles {
			return tooMany(c.InitUtil.Pos, "init_util", n)
		}
	}
	return nil
}

func (fs *filesystem) full(pos profile.Pos, when string) error {
	return fmt.Errorf("%s: %s, of %s, is full %s, where FFSB ends; legal: fewer or smaller files, larger devices (device.capacity) or more of them",
		pos, fs.conf.Location.V, sizeText(fs.vol.blocks*BlockSize), when)
}
