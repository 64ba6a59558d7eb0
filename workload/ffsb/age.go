package ffsb

import (
	"fmt"
	"math/rand/v2"

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
