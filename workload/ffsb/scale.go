package ffsb

import (
	"fmt"
	"math"

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
