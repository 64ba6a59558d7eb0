package machine

import "slices"

// Fields is plain fields that are used together: the lines that they lie on, each
// once. The zero Fields lie on no line that anybody writes, and cost nothing.
type Fields struct {
	first *Line // of most there is one
	more  []*Line
}

// FieldsOn makes Fields of lines; nil ones and those named before are left out.
func FieldsOn(lines ...*Line) Fields {
	var f Fields
	for _, l := range lines {
		switch {
		case l == nil || l == f.first || slices.Contains(f.more, l):
		case f.first == nil:
			f.first = l
		default:
			f.more = append(f.more, l)
		}
	}
	return f
}

// Lines are the lines that the fields lie on.
func (f Fields) Lines() []*Line {
	if f.first == nil {
		return nil
	}
	return append([]*Line{f.first}, f.more...)
}

// Beyond is what of f lies on other lines than g does: what is left to announce of
// f where g was announced just before.
func (f Fields) Beyond(g Fields) Fields {
	have := g.Lines()
	return FieldsOn(slices.DeleteFunc(f.Lines(), func(l *Line) bool { return slices.Contains(have, l) })...)
}

// TouchAll is Touch for fields on several lines.
func (t *Thread) TouchAll(f *Fields) {
	if t.hook != nil {
		t.useAll(f, OpStore)
	}
}

// LookAll is Look for fields on several lines.
func (t *Thread) LookAll(f *Fields) {
	if t.hook != nil {
		t.useAll(f, OpLoad)
	}
}

//go:noinline
func (t *Thread) useAll(f *Fields, op Op) {
	if f.first == nil {
		return
	}
	t.hook.Access(f.first, nil, op)
	for _, l := range f.more {
		t.hook.Access(l, nil, op)
	}
}
