package record

import (
	"slices"

	"hostlock/record/read"
	"hostlock/record/rt"
)

// sharedLocks is which part of a site's weight must lie on locks that another
// site takes too, before both are said to take the same lock: an address is used
// again for another lock now and then.
const sharedLocks = 0.05

// shareError is the standard error, over the value, beyond which one lock's part of
// a site's acquisitions is left unsaid, and its own samples alone are counted. A
// quarter needs 16 samples.
const shareError = 0.25

// leastShare is which part of a lock's hold time may be a lower bound without the
// whole being called one: what a sampled mean may be off by.
const leastShare = 0.1

// instance is what is known of one lock.
type instance struct {
	held  float64 // ns
	least float64 // of that, what was seen and is not more than a lower bound, in ns
	taken float64 // acquisitions
}

// enough reports whether the samples of one lock tell what part of a site's
// acquisitions it has. They are a choice: a lock that came up once, in a sample
// that stands for a hundred, need not have been taken a hundred times, and among
// thousands of locks the greatest such error is the greatest figure.
func enough(s read.Site, in rt.Instance) bool {
	if in.Samples == 0 {
		return false
	}
	left := 1 - float64(in.Samples)/float64(in.Weight) // 0 where each one was timed
	others := 1 - float64(in.Weight)/float64(s.Weight) // 0 where there is no other lock
	return left*others/float64(in.Samples) <= shareError*shareError
}

// group finds the sites that take the same locks, and for each group what is
// known of each of its locks. Readers share a lock: their holds are not its
// utilisation.
func group(p *read.Process) (of []int, busy map[int]map[uint64]instance) {
	of = make([]int, len(p.Sites))
	type use struct {
		site   int
		weight float64
	}
	users := map[uint64][]use{}
	weight := make([]float64, len(p.Sites))
	scale := make([]float64, len(p.Sites))
	for i, s := range p.Sites {
		of[i] = i
		if s.Kind == rt.Own {
			continue
		}
		if s.Weight > 0 {
			scale[i] = float64(s.Acquisitions) / float64(s.Weight)
		}
		for _, in := range s.Locks {
			users[in.Addr] = append(users[in.Addr], use{i, float64(in.Weight)})
			weight[i] += float64(in.Weight)
		}
	}
	shared := map[[2]int][2]float64{}
	for _, us := range users {
		for a := range us {
			for b := a + 1; b < len(us); b++ {
				if rw(p.Sites[us[a].site]) != rw(p.Sites[us[b].site]) {
					continue
				}
				k := [2]int{us[a].site, us[b].site}
				v := shared[k]
				shared[k] = [2]float64{v[0] + us[a].weight, v[1] + us[b].weight}
			}
		}
	}
	var root func(int) int
	root = func(i int) int {
		if of[i] != i {
			of[i] = root(of[i])
		}
		return of[i]
	}
	for k, v := range shared {
		if v[0] >= sharedLocks*weight[k[0]] && v[0] > 0 || v[1] >= sharedLocks*weight[k[1]] && v[1] > 0 {
			a, b := root(k[0]), root(k[1])
			of[max(a, b)] = min(a, b)
		}
	}
	busy = map[int]map[uint64]instance{}
	for i, s := range p.Sites {
		g := root(i)
		if s.Kind == rt.Own {
			continue
		}
		if busy[g] == nil {
			busy[g] = map[uint64]instance{}
		}
		for _, in := range s.Locks {
			l := busy[g][in.Addr]
			l.taken += float64(in.Weight) * scale[i]
			switch {
			case s.Kind == rt.Read || in.Weight == 0:
			case enough(s, in):
				l.held += float64(in.HoldNs) * scale[i]
			default:
				seen := float64(in.HoldNs) / float64(in.Weight) * float64(in.Samples)
				l.held, l.least = l.held+seen, l.least+seen
			}
			busy[g][in.Addr] = l
		}
	}
	return of, busy
}

// hottest says how long the lock was held that was held longest, of those that a
// site takes in a process that ran for so long.
func (l *Lock) hottest(locks map[uint64]instance, seconds float64) {
	if len(locks) == 0 {
		return
	}
	var most, sum float64
	var top instance
	all := make([]float64, 0, len(locks))
	for _, in := range locks {
		all = append(all, in.held)
		if in.held > top.held {
			top = in
		}
		most, sum = max(most, in.taken), sum+in.taken
	}
	slices.Sort(all)
	// Nothing is held longer than always; what a sample stands for may be.
	pct := func(ns float64) *float64 { v := min(ns/seconds/1e7, 100); return &v }
	l.HottestUtilizationPct, l.HottestAtLeast = pct(top.held), top.least > leastShare*top.held
	l.MedianUtilizationPct = pct(all[len(all)/2])
	if sum > 0 && !l.HottestAtLeast {
		share := 100 * most / sum
		l.HottestSharePct = &share
	}
}
