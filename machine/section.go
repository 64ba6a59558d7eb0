package machine

// Section is a named stretch of the call path, spelled as the kernel spells
// it, to which time is charged and which becomes the label "section" of a
// profile. Sections are declared once, as package variables, by the package
// that owns the path.
type Section struct {
	Name string
}

// NewSection declares a section.
func NewSection(name string) *Section { return &Section{Name: name} }

// Enter begins a section. Every Enter is matched by one Leave on the same
// thread.
func (t *Thread) Enter(s *Section) {
	if t.hook != nil {
		t.enterHooked(s)
	}
	t.depth++
	t.path[t.depth&(maxPath-1)] = s
}

// Leave ends the innermost section.
func (t *Thread) Leave() {
	if t.hook != nil {
		t.leaveHooked()
	}
	t.depth--
}

//go:noinline
func (t *Thread) enterHooked(s *Section) { t.hook.Enter(s) }

//go:noinline
func (t *Thread) leaveHooked() { t.hook.Leave() }
