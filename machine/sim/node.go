package sim

import (
	"runtime"

	"hostlock/machine"
)

// node is one place of the call-path tree: a section under the sections that
// enclose it. Stacks are captured once for each thing that happens at a node,
// and counted from then on: walking a stack costs more than simulating an
// event.
type node struct {
	parent   *node
	section  *machine.Section // nil at a root
	children []*node
	work     *bucket   // of Working, the most charged by far
	buckets  []*bucket // of the others, by class*WhatCount + what
	holds    []*bucket // by class: locks taken here
}

// bucket is what one kind of time at one node adds up to, by core.
type bucket struct {
	node  *node
	what  machine.What
	class int32
	stack []uintptr
	by    []tally // by core
	// of locks taken at this node
	hold, blocked, holds []int64
}

// tally is a bucket's sum for one core. The two lie side by side, since a
// charge touches both.
type tally struct{ ns, n int64 }

func (n *node) child(s *machine.Section) *node {
	for _, c := range n.children {
		if c.section == s {
			return c
		}
	}
	c := &node{parent: n, section: s}
	n.children = append(n.children, c)
	return c
}

func (n *node) path() []string {
	if n.section == nil {
		return nil
	}
	return append(n.parent.path(), n.section.Name)
}

// maxStack is how deep a captured stack may be: the path is some twenty
// frames deep.
const maxStack = 64

func (s *Sim) newBucket(n *node, what machine.What, class int32, skip int) *bucket {
	b := &bucket{node: n, what: what, class: class}
	if what != machine.Switching { // a switch is made by whoever caused it, whose stack would mislead
		var pcs [maxStack]uintptr
		depth := runtime.Callers(skip, pcs[:])
		b.stack = append(b.stack, pcs[:depth]...)
	}
	s.buckets = append(s.buckets, b)
	return b
}

// bucketAt finds what time of one kind is charged to at the proc's node.
func (p *proc) bucketAt(what machine.What, class int32) *bucket {
	n := p.node
	if what == machine.Working && n.work != nil {
		return n.work
	}
	i := int(class)*int(machine.WhatCount) + int(what)
	if i < len(n.buckets) && n.buckets[i] != nil {
		return n.buckets[i]
	}
	return p.makeBucket(i, what, class)
}

func (p *proc) makeBucket(i int, what machine.What, class int32) *bucket {
	n := p.node
	for len(n.buckets) <= i {
		n.buckets = append(n.buckets, nil)
	}
	b := p.s.newBucket(n, what, class, 3)
	b.by = make([]tally, len(p.s.cores))
	n.buckets[i] = b
	if what == machine.Working {
		n.work = b
	}
	return b
}

// holdAt finds what the holds of a lock taken at the proc's node are charged to.
func (p *proc) holdAt(class int32) *bucket {
	n := p.node
	for len(n.holds) <= int(class) {
		n.holds = append(n.holds, nil)
	}
	b := n.holds[class]
	if b == nil {
		b = p.s.newBucket(n, machine.Working, class, 3)
		b.hold, b.blocked, b.holds = make([]int64, len(p.s.cores)), make([]int64, len(p.s.cores)), make([]int64, len(p.s.cores))
		n.holds[class] = b
	}
	return b
}

// charge books d at the proc's node and core.
func (p *proc) charge(what machine.What, class int32, d int64) {
	b := p.bucketAt(what, class)
	t := &b.by[p.core.id]
	t.ns += d
	t.n++
	p.last = b
}

// use charges the cost of an operation on a line that the core has, which is
// what most operations are.
func (p *proc) use(d int64) {
	p.t += d
	b := p.node.work
	if b == nil {
		b = p.bucketAt(machine.Working, 0)
	}
	t := &b.by[p.core.id]
	t.ns += d
	t.n++
	p.last = b
}

// spend charges d and moves the proc's clock by it.
func (p *proc) spend(what machine.What, class int32, d int64) {
	if d <= 0 {
		return
	}
	p.t += d
	p.charge(what, class, d)
}
