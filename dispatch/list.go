package dispatch

// Node is a place in a circular doubly linked list whose elements know
// nothing of which list they are in (the kernel's list_head). The zero Node is
// in no list; a list's head is a Node made ready by InitHead.
type Node struct {
	prev, next *Node
	// Value is the element, for its user.
	Value any
}

// InitHead makes n the head of an empty list.
func (n *Node) InitHead() { n.prev, n.next = n, n }

// Linked reports whether an element is in a list.
func (n *Node) Linked() bool { return n.next != nil }

// Empty reports whether the list of head n has no element.
func (n *Node) Empty() bool { return n.next == nil || n.next == n }

// First is the first element of the list of head n, nil where it is empty.
func (n *Node) First() *Node {
	if n.Empty() {
		return nil
	}
	return n.next
}

// PushBack appends an element, which is in no list, to the list of head n.
func (n *Node) PushBack(e *Node) {
	e.prev, e.next = n.prev, n
	n.prev.next, n.prev = e, e
}

// Remove takes an element out of whichever list it is in, if any.
func (n *Node) Remove() {
	if n.next == nil {
		return
	}
	n.prev.next, n.next.prev = n.next, n.prev
	n.prev, n.next = nil, nil
}

// SpliceFront moves all elements of the list of head from to the front of the
// list of head n.
func (n *Node) SpliceFront(from *Node) {
	if from.Empty() {
		return
	}
	first, last := from.next, from.prev
	first.prev, last.next = n, n.next
	n.next.prev, n.next = last, first
	from.InitHead()
}
