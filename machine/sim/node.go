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
	hard     bool             // of a root: of handlers of hardware interrupts
	children []*node
	work     int32   // bucket of Working, the most charged by far
	buckets  []int32 // of the others, by class*WhatCount + what
	holds    []int32 // by class: locks taken here
}

// bucket is one kind of time at one node. What it adds up to is kept by each
// core, at the bucket's index: a core goes through many buckets in a row, and
// many cores through one only by turns. Bucket 0 is "none".
type bucket struct {
	node  *node
	what  machine.What
	class int32
	lock  bool // counts holds of a lock taken at the node, and no time
	stack []uintptr
}

// tally is what a core charged to a bucket.
type tally struct{ ns, n int64 }

// holdTally is what holds of locks that a core took at a node came to.
type holdTally struct{ held, blocked, n int64 }

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

func (n *node) root() *node {
	for n.parent != nil {
		n = n.parent
	}
	return n
}

// maxStack is how deep a captured stack may be: the path is some twenty
// frames deep.
const maxStack = 64

// addBucket gives every core a place for the bucket, and captures its stack.
func (s *Sim) addBucket(b bucket, skip int) int32 {
	if b.what != machine.Switching { // a switch is made by whoever caused it, whose stack would mislead
		var pcs [maxStack]uintptr
		depth := runtime.Callers(skip, pcs[:])
		b.stack = append(b.stack, pcs[:depth]...)
	}
	s.buckets = append(s.buckets, b)
	for _, c := range s.cores {
		c.tally = append(c.tally, tally{})
		c.holds = append(c.holds, holdTally{})
	}
	return int32(len(s.buckets) - 1)
}

// bucketAt finds what time of one kind is charged to at the proc's node.
func (p *proc) bucketAt(what machine.What, class int32) int32 {
	i := int(class)*int(machine.WhatCount) + int(what)
	if n := p.node; i < len(n.buckets) && n.buckets[i] != 0 {
		return n.buckets[i]
	}
	return p.makeBucket(i, what, class)
}

func (p *proc) makeBucket(i int, what machine.What, class int32) int32 {
	n := p.node
	for len(n.buckets) <= i {
		n.buckets = append(n.buckets, 0)
	}
	b := p.s.addBucket(bucket{node: n, what: what, class: class}, 3)
	n.buckets[i] = b
	if what == machine.Working {
		n.work = b
	}
	return b
}

// holdAt finds what the holds of a lock taken at the proc's node are charged to.
func (p *proc) holdAt(class int32) int32 {
	n := p.node
	for len(n.holds) <= int(class) {
		n.holds = append(n.holds, 0)
	}
	b := n.holds[class]
	if b == 0 {
		b = p.s.addBucket(bucket{node: n, what: machine.Working, class: class, lock: true}, 3)
		n.holds[class] = b
	}
	return b
}

// charge books d at the proc's node and core.
func (p *proc) charge(what machine.What, class int32, d int64) {
	b := p.bucketAt(what, class)
	t := &p.core.tally[b]
	t.ns += d
	t.n++
	p.last = b
}

// use charges work that lasts d: the cost of an operation on a line that the
// core has, which is what most operations are, and work itself.
func (p *proc) use(d int64) {
	p.t += d
	p.work(d)
}

// work books d of Working at the proc's node and core.
func (p *proc) work(d int64) {
	b := p.node.work
	if b == 0 {
		b = p.bucketAt(machine.Working, 0)
	}
	t := &p.core.tally[b]
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
