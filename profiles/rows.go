package profiles

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hostlock/machine"
)

// row is one sample of a profile to be, with every address already text.
type row struct {
	rowKey
	values []int64
}

// rowKey is all that tells two rows apart. Rows whose keys are equal are
// joined: program counters may differ where the text does not.
type rowKey struct {
	stack        *stack
	leaf         string // synthetic leaf; "" for none
	what         string
	section      string
	path         string // sections joined by pathSeparator, outermost first
	lock, line   string // class
	core, socket int    // -1 where added up
}

// pathSeparator stands between the sections of the label "path". It has no
// meaning in the regular expressions that -tagfocus takes.
const pathSeparator = "/"

// rowSet joins rows.
type rowSet struct {
	stacks *stacks
	values int // how many values a row has
	byKey  map[rowKey]*row
	order  []*row
}

func newRowSet(values int) *rowSet {
	return &rowSet{stacks: newStacks(), values: values, byKey: map[rowKey]*row{}}
}

// add takes one sample of an account, under the leaf and the what that the
// kind of profile gives it.
func (s *rowSet) add(m *machine.Sample, leaf, what string, values ...int64) {
	k := rowKey{
		stack:   s.stacks.of(m.Stack),
		leaf:    leaf,
		what:    what,
		section: m.Section,
		path:    strings.Join(m.Path, pathSeparator),
		core:    m.Core,
		socket:  m.Socket,
	}
	if m.Core < 0 {
		k.socket = -1
	}
	if k.leaf == "" && len(k.stack.frames) == 0 {
		// Every sample needs a frame, or pprof shows nothing for it.
		k.leaf = what
	}
	switch {
	case m.Class == "":
	case isLock(m, k.stack):
		k.lock = m.Class
	default:
		k.line = m.Class
	}
	r, ok := s.byKey[k]
	if !ok {
		r = &row{rowKey: k, values: make([]int64, s.values)}
		s.byKey[k] = r
		s.order = append(s.order, r)
	}
	for i, v := range values {
		r.values[i] += v
	}
}

// isLock tells whether a sample's class is that of a lock or of a line.
func isLock(m *machine.Sample, st *stack) bool {
	if m.What == machine.Spinning || m.Hold > 0 || m.Holds > 0 || m.Blocked > 0 {
		return true
	}
	return m.What == machine.Working && len(st.frames) > 0 &&
		strings.HasPrefix(st.frames[0].name, machinePackage+".(*SpinLock).")
}

// sorted gives the rows in an order that follows from what they say.
func (s *rowSet) sorted() []*row {
	slices.SortFunc(s.order, func(a, b *row) int {
		if a.stack != b.stack {
			return strings.Compare(a.stack.key, b.stack.key)
		}
		return cmp.Or(
			strings.Compare(a.leaf, b.leaf),
			strings.Compare(a.what, b.what),
			strings.Compare(a.path, b.path),
			strings.Compare(a.section, b.section),
			strings.Compare(a.lock, b.lock),
			strings.Compare(a.line, b.line),
			cmp.Compare(a.core, b.core),
			cmp.Compare(a.socket, b.socket),
		)
	})
	return s.order
}

// leafOf is the synthetic frame for what a core did; "" for work, which stays
// with the function that did it.
func leafOf(m *machine.Sample) string {
	if m.What == machine.Working {
		return ""
	}
	if m.Class == "" {
		return m.What.String()
	}
	return m.What.String() + ":" + m.Class
}

// check refuses an account that would make a profile that no reader could
// make sense of.
func check(a *machine.Account) error {
	for i := range a.Samples {
		m := &a.Samples[i]
		switch {
		case m.What >= machine.WhatCount:
			return fmt.Errorf("profiles: sample %d of the account: unknown activity %d", i, m.What)
		case m.Time < 0 || m.Blocked < 0 || m.Hold < 0 || m.Count < 0 || m.Holds < 0:
			return fmt.Errorf("profiles: sample %d of the account (%s in %q): negative time or count", i, m.What, m.Section)
		}
	}
	return nil
}
