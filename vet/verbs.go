package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// kinds are the interfaces whose code is read.
var kinds = []struct{ pkg, name, word string }{
	{"hostlock/dispatch", "Strategy", "strategy"},
	{"hostlock/strategies", "Limit", "limit"},
	{"hostlock/dispatch", "Driver", "driver"},
	{"hostlock/designs", "Design", "design"},
}

const machinePkg = "hostlock/machine"

// verbsAnalyzer finds the code to read. It reports nothing but marks without a
// reason.
var verbsAnalyzer = &analysis.Analyzer{
	Name:       "verbs",
	Doc:        "finds strategies, limits, drivers and designs, and the code that their verbs reach",
	Run:        func(pass *analysis.Pass) (any, error) { return findVerbs(pass), nil },
	ResultType: typeOf[*verbs](),
}

// code is one function with a body: a declared one, or a literal.
type code struct {
	node     ast.Node
	body     *ast.BlockStmt
	fn       *types.Func // nil of a literal
	calls    []*code     // of this package, by name, and literals within
	callers  []*code
	external []use // of functions elsewhere
	root     string
	verb     string // "type.Verb" that reaches it first; "" where none does
	name     string // of the verb alone, of a root
}

// use is a reference to something at a place.
type use struct {
	at  *ast.Ident
	obj types.Object
}

// verbs is what was found in a package.
type verbs struct {
	pass *analysis.Pass
	all  []*code // in the order of the source
	by   map[*types.Func]*code
	// owners are the targets and the structs that lie within them; fields are theirs.
	targets []*types.TypeName
	owners  map[*types.TypeName]bool
	fields  map[*types.Var]*types.TypeName
	marks   map[string]map[int]bool // lines that stand as they are, by file
}

// verbsOf is what verbsAnalyzer found, for one analyzer of its own: they run side by
// side, and each has a pass to report by.
func verbsOf(pass *analysis.Pass) *verbs {
	v := *pass.ResultOf[verbsAnalyzer].(*verbs)
	v.pass = pass
	return &v
}

func findVerbs(pass *analysis.Pass) *verbs {
	v := &verbs{
		pass: pass, by: map[*types.Func]*code{}, owners: map[*types.TypeName]bool{},
		fields: map[*types.Var]*types.TypeName{}, marks: map[string]map[int]bool{},
	}
	// What is in no module is the standard library's.
	if trusted(pass.Pkg.Path()) || pass.Module == nil || pass.Module.Path == "" || len(pass.Files) == 0 {
		return v
	}
	v.readMarks()
	v.findTargets()
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			v.declare(d)
		}
	}
	for _, c := range v.all {
		v.link(c)
	}
	v.reach()
	return v
}

// trusted says that a package is one of those whose operations the machine charges
// itself.
func trusted(path string) bool {
	if path == "hostlock/dispatch/lld" {
		return false
	}
	for _, own := range []string{machinePkg, "hostlock/dispatch", "hostlock/locks"} {
		if path == own || strings.HasPrefix(path, own+"/") {
			return true
		}
	}
	return false
}

// findTargets looks for types that are one of kinds, and for what lies in them.
func (v *verbs) findTargets() {
	imported := map[string]*types.Package{}
	var walk func(p *types.Package)
	walk = func(p *types.Package) {
		if imported[p.Path()] == nil {
			imported[p.Path()] = p
			for _, i := range p.Imports() {
				walk(i)
			}
		}
	}
	walk(v.pass.Pkg)
	scope := v.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		for _, k := range kinds {
			p := imported[k.pkg]
			if p == nil {
				continue
			}
			if obj := p.Scope().Lookup(k.name); obj != nil {
				if i, ok := obj.Type().Underlying().(*types.Interface); ok && types.Implements(types.NewPointer(tn.Type()), i) {
					v.targets = append(v.targets, tn)
					v.own(tn.Type())
					break
				}
			}
		}
	}
}

// own takes in the structs of this package that a type holds or points to.
func (v *verbs) own(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		v.own(t.Elem())
	case *types.Slice:
		v.own(t.Elem())
	case *types.Array:
		v.own(t.Elem())
	case *types.Map:
		v.own(t.Elem())
	case *types.Named:
		tn := t.Origin().Obj()
		s, ok := t.Origin().Underlying().(*types.Struct)
		if tn.Pkg() != v.pass.Pkg || v.owners[tn] {
			return
		}
		v.owners[tn] = true
		if ok {
			v.ownFields(tn, s)
		}
	}
}

func (v *verbs) ownFields(tn *types.TypeName, s *types.Struct) {
	for f := range s.Fields() {
		v.fields[f] = tn
		if inner, ok := f.Type().(*types.Struct); ok {
			v.ownFields(tn, inner)
		}
		v.own(f.Type())
	}
}

// declare takes in the functions of a declaration, with the literals within.
func (v *verbs) declare(d ast.Decl) {
	// The type of ours that the declaration speaks of, if any: literals within it
	// that are given a thread are that type's code.
	var of *types.TypeName
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && of == nil {
			of = v.targetOf(id)
		}
		return of == nil
	})
	if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
		fn, _ := v.pass.TypesInfo.Defs[f.Name].(*types.Func)
		c := &code{node: f, body: f.Body, fn: fn}
		v.by[fn] = c
		v.all = append(v.all, c)
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			c := &code{node: lit, body: lit.Body}
			if sig, ok := v.pass.TypesInfo.TypeOf(lit).(*types.Signature); ok && of != nil && threaded(sig) {
				c.root = fmt.Sprintf("%s, function at %s", of.Name(), v.place(lit.Pos()))
			}
			v.all = append(v.all, c)
		}
		return true
	})
}

// targetOf is the type of ours that an identifier has or names.
func (v *verbs) targetOf(id *ast.Ident) *types.TypeName {
	obj := v.pass.TypesInfo.ObjectOf(id)
	if obj == nil || obj.Type() == nil {
		return nil
	}
	t := obj.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && v.owners[n.Origin().Obj()] {
		return n.Origin().Obj()
	}
	return nil
}

// link finds what a function calls, or hands on.
func (v *verbs) link(c *code) {
	lits := map[ast.Node]*code{}
	for _, o := range v.all {
		lits[o.node] = o
	}
	v.within(c, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			c.calls = append(c.calls, lits[n])
		case *ast.Ident:
			fn, ok := v.pass.TypesInfo.Uses[n].(*types.Func)
			if !ok {
				return
			}
			fn = fn.Origin()
			switch to := v.by[fn]; {
			case to != nil:
				c.calls = append(c.calls, to)
			case fn.Pkg() != nil && fn.Pkg() != v.pass.Pkg:
				c.external = append(c.external, use{n, fn})
			}
		}
	})
	for _, to := range c.calls {
		to.callers = append(to.callers, c)
	}
}

// within visits what is a function's own: literals, but not what is in them.
func (v *verbs) within(c *code, visit func(ast.Node)) {
	ast.Inspect(c.body, func(n ast.Node) bool {
		if n != nil {
			visit(n)
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
}

// reach marks what the verbs reach, each with the first that does.
func (v *verbs) reach() {
	methods := func(also func(*code) bool) {
		for _, tn := range v.targets {
			set := types.NewMethodSet(types.NewPointer(tn.Type()))
			for m := range set.Methods() {
				fn := m.Obj().(*types.Func).Origin()
				if c := v.by[fn]; c != nil && c.root == "" && threaded(fn.Signature()) && also(c) {
					of, ok := recv(fn) // who has it, where a type embeds another
					if !ok || !slices.ContainsFunc(v.targets, func(o *types.TypeName) bool { return o.Name() == of }) {
						of = tn.Name()
					}
					c.root, c.name = of+"."+fn.Name(), fn.Name()
				}
			}
		}
	}
	methods(func(c *code) bool { return c.fn.Exported() })
	v.spread()
	// A handler that nobody calls by name, such as an interrupt's.
	methods(func(c *code) bool { return c.verb == "" })
	v.spread()
}

func (v *verbs) spread() {
	for _, root := range v.all {
		if root.root == "" || root.verb != "" {
			continue
		}
		queue := []*code{root}
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			if c.verb != "" {
				continue
			}
			c.verb = root.root
			queue = append(queue, c.calls...)
		}
	}
}

// threaded says that a function is given the thread that runs it.
func threaded(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if isType(p.Type(), machinePkg, "Thread") {
			return true
		}
	}
	return false
}

// isType says that a type, or what it points to, is one of a package.
func isType(t types.Type, pkg, name string) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg && n.Obj().Name() == name
}

func (v *verbs) place(p token.Pos) string {
	at := v.pass.Fset.Position(p)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
