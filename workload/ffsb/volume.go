package ffsb

import (
	"fmt"
	"math"
	"strings"

	"hostlock/workload/ffsb/profile"
)

// scaled is the profile, factor times as large. Whole file systems come or go
// with the groups that are bound to them, and what is left of the factor
// applies to the files in each and to the threads of each group. Groups bound
// to no file system grow and shrink by their threads alone. Nothing shrinks
// below one.
func scaled(p *profile.Profile, factor float64) (*profile.Profile, error) {
	if factor == 1 {
		return p, nil
	}
	n := len(p.Filesystems)
	m := atLeastOne(float64(n) * factor)
	rest := factor * float64(n) / float64(m)

	out := *p
	out.Filesystems = make([]profile.Filesystem, m)
	origin := make([]int, m) // which file system each is a copy of
	copies := make([][]int, n)
	for i := range m {
		origin[i] = i % n
		if m < n {
			origin[i] = i * n / m // those that stay lie evenly among all
		}
		copies[origin[i]] = append(copies[origin[i]], i)
		out.Filesystems[i] = resized(p.Filesystems[origin[i]], rest)
		if i >= n {
			out.Filesystems[i].Location.V = fmt.Sprintf("%s, copy %d", p.Filesystems[origin[i]].Location.V, i/n+1)
		}
	}

	out.Groups = nil
	for _, g := range p.Groups {
		if g.BindFS.V == profile.AnyFS {
			g.NumThreads.V = times(g.NumThreads.V, factor)
			out.Groups = append(out.Groups, g)
		}
	}
	// Bound groups in the order of the file systems' copies: group k of copy 2
	// comes after all groups of copy 1.
	var bound []profile.ThreadGroup
	for round := 0; ; round++ {
		more := false
		for _, g := range p.Groups {
			fs := g.BindFS.V
			if fs == profile.AnyFS || round >= len(copies[fs]) {
				continue
			}
			more = true
			g.BindFS.V = copies[fs][round]
			g.NumThreads.V = times(g.NumThreads.V, rest)
			bound = append(bound, g)
		}
		if !more {
			break
		}
	}
	out.Groups = append(out.Groups, bound...)
	if out.TotalThreads() == 0 && p.TotalThreads() > 0 {
		return nil, fmt.Errorf("%s: at scale %g no file system is left that a group is bound to; legal: a larger scale", p.Name, factor)
	}
	return &out, nil
}

// resized is a file system with factor times as many files.
func resized(f profile.Filesystem, factor float64) profile.Filesystem {
	f.NumFiles.V = times(f.NumFiles.V, factor)
	if f.InitSize.V > 0 {
		f.InitSize.V = max(1, int64(math.Round(float64(f.InitSize.V)*factor)))
	}
	return f
}

// times is n by a factor, at least 1 where n is.
func times(n int, factor float64) int {
	if n <= 0 {
		return n
	}
	return atLeastOne(float64(n) * factor)
}

func atLeastOne(f float64) int { return max(1, int(math.Round(f))) }

// spread gives total threads to the groups in proportion to their own numbers;
// what is left over goes to the largest remainders, the first of equals first.
func spread(groups []profile.ThreadGroup, total int) {
	sum := 0
	for i := range groups {
		sum += groups[i].NumThreads.V
	}
	if sum == 0 {
		return
	}
	rest := make([]int, len(groups))
	left := total
	for i := range groups {
		share := groups[i].NumThreads.V * total
		groups[i].NumThreads.V, rest[i] = share/sum, share%sum
		left -= share / sum
	}
	for ; left > 0; left-- {
		most := 0
		for i := range rest {
			if rest[i] > rest[most] {
				most = i
			}
		}
		groups[most].NumThreads.V++
		rest[most] = -1
	}
}

// volume is the blocks that a file system lies on: parts of devices, one after
// the other, as a linear volume of LVM is made of them.
type volume struct {
	parts  []part
	blocks int64
}

// part is a stretch of one device.
type part struct {
	dev    int   // index in the system's devices
	sector int64 // where it begins on the device
	first  int64 // the volume's block that it begins with
	blocks int64
}

func (v *volume) add(dev int, sector, blocks int64) {
	// Block numbers have 32 bits: a part that would exceed them is cut.
	blocks = min(blocks, maxBlocks-v.blocks)
	v.parts = append(v.parts, part{dev: dev, sector: sector, first: v.blocks, blocks: blocks})
	v.blocks += blocks
}

const maxBlocks = 1<<32 - 1

// at is the part that has a block.
func (v *volume) at(block int64) *part {
	i := 0
	for i+1 < len(v.parts) && v.parts[i+1].first <= block {
		i++
	}
	return &v.parts[i]
}

// holds reports whether so many blocks fit, with a tenth left free: an
// allocator needs room, and so do files that are created later.
func (v *volume) holds(blocks int64) bool { return blocks <= v.blocks-v.blocks/10 }

// need is what one file system wants of the devices.
type need struct {
	location string
	blocks   int64       // of the files that exist at first
	pos      profile.Pos // what asks for them
}

// place puts every file system on its device: the given one, or round robin.
// Those on the same device share it evenly. One whose files do not fit there
// goes on over devices that have no file system of their own; notes say so.
func place(needs []need, devs []device, where []int) (vols []volume, notes []string, err error) {
	if len(devs) == 0 {
		return nil, nil, fmt.Errorf("there is no device to put a file system on")
	}
	home := make([]int, len(needs))
	sharers := make([]int64, len(devs))
	for i := range needs {
		home[i] = i % len(devs)
		if len(where) > 0 {
			home[i] = where[i%len(where)]
			if home[i] < 0 || home[i] >= len(devs) {
				return nil, nil, fmt.Errorf("file system %s on device %d; legal: 0 to %d", needs[i].location, home[i], len(devs)-1)
			}
		}
		sharers[home[i]]++
	}
	vols = make([]volume, len(needs))
	placed := make([]int64, len(devs))
	spare := 0
	for i, n := range needs {
		d := home[i]
		share := devs[d].blocks() / sharers[d]
		if share == 0 {
			return nil, nil, fmt.Errorf("device %s is too small for its %d file systems", devs[d].name, sharers[d])
		}
		v := &vols[i]
		v.add(d, placed[d]*share*sectorsPerBlock, share)
		placed[d]++
		for !v.holds(n.blocks) && spare < len(devs) {
			if sharers[spare] == 0 {
				v.add(spare, 0, devs[spare].blocks())
			}
			spare++
		}
		if !v.holds(n.blocks) {
			return nil, nil, fmt.Errorf("%s: the files of %s need %s, and there are only %s for them on %s; legal: larger devices (device.capacity), more of them, or a smaller scale",
				n.pos, n.location, sizeText(n.blocks*BlockSize), sizeText(v.blocks*BlockSize), v.names(devs))
		}
		if len(v.parts) > 1 {
			notes = append(notes, fmt.Sprintf("the files of %s need %s, more than a device has for them: it lies on %d devices, one after the other",
				n.location, sizeText(n.blocks*BlockSize), len(v.parts)))
		}
	}
	return vols, notes, nil
}

func (v *volume) names(devs []device) string {
	names := make([]string, len(v.parts))
	for i, p := range v.parts {
		names[i] = devs[p.dev].name
	}
	return "LUN " + strings.Join(names, ", ")
}

// sizeText is a number of bytes for people, in powers of 1024.
func sizeText(bytes int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"}
	f, i := float64(bytes), 0
	for f >= 1024 && i+1 < len(units) {
		f, i = f/1024, i+1
	}
	return fmt.Sprintf("%.4g %s", f, units[i])
}
