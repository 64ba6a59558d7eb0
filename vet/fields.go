package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Fields reports plain fields that threads share and nobody declares.
var Fields = &analysis.Analyzer{
	Name:     "fields",
	Doc:      "reports plain fields, variables and maps that verbs write without Touch of a declared line",
	Requires: []*analysis.Analyzer{verbsAnalyzer},
	Run:      runFields,
}

// entered are the verbs that begin with their queue entered, by one that touched
// its line.
var entered = map[string]string{"Next": "Enter", "Exit": "Enter"}

type fieldCheck struct {
	*verbs
	touched map[*code]*touches
	lines   map[*types.TypeName][]*types.Var // of an owner, its own
	memo    map[coverKey]int
}

// touches are the lines that a function touches itself.
type touches struct {
	any    bool
	wild   bool
	fields []types.Object
}

type coverKey struct {
	c     *code
	owner *types.TypeName
	up    bool
}

func runFields(pass *analysis.Pass) (any, error) {
	f := &fieldCheck{verbs: verbsOf(pass), touched: map[*code]*touches{}, lines: map[*types.TypeName][]*types.Var{}, memo: map[coverKey]int{}}
	for field, owner := range f.verbs.fields {
		if isLine(field.Type()) {
			f.lines[owner] = append(f.lines[owner], field)
		}
	}
	for _, c := range f.all {
		t := &touches{}
		f.touched[c] = t
		f.within(c, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if ok && isType(pass.TypesInfo.TypeOf(sel.X), machinePkg, "Thread") && slices.Contains(declares, sel.Sel.Name) {
				t.any = true
				if id, ok := call.Args[0].(*ast.Ident); ok && id != nil {
					t.wild = true // a variable, which may be any
				}
				t.fields = append(t.fields, base(pass.TypesInfo, call.Args[0])...)
			}
		})
	}
	reported := map[string]bool{}
	for _, c := range f.all {
		if c.verb != "" {
			f.check(c, reported)
		}
	}
	return nil, nil
}

// declares are the calls of a Thread that say which plain fields are used.
var declares = []string{"Touch", "Look", "TouchAll", "LookAll"}

func isLine(t types.Type) bool {
	for {
		switch x := types.Unalias(t).(type) {
		case *types.Slice:
			t = x.Elem()
		case *types.Array:
			t = x.Elem()
		default:
			return isType(t, machinePkg, "Line") || isType(t, machinePkg, "Fields") || allLines(t)
		}
	}
}

// allLines reports whether a struct of the caller's has nothing but lines: those of
// several of its fields.
func allLines(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 {
		return false
	}
	for v := range s.Fields() {
		if !isType(v.Type(), machinePkg, "Line") && !isType(v.Type(), machinePkg, "Fields") {
			return false
		}
	}
	return true
}

func (f *fieldCheck) check(c *code, reported map[string]bool) {
	info := f.pass.TypesInfo
	write := func(e ast.Expr, pos token.Pos, how string) {
		owner, what, private := f.written(c, e)
		if what == nil || private || f.stands(pos, base(info, e)...) || f.stands(pos, what) {
			return
		}
		name := what.Name()
		if owner != nil {
			if f.covered(c, owner, false) {
				return
			}
			name = owner.Name() + "." + name
		}
		if key := f.place(pos) + name; !reported[key] {
			reported[key] = true
			f.pass.Report(analysis.Diagnostic{Pos: pos, Category: c.verb,
				Message: c.verb + ": " + name + " is " + how + " without a line; use machine.Word, or Thread.Touch of a machine.Line that is declared for it"})
		}
	}
	f.within(c, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					write(l, l.Pos(), "written")
				}
			}
		case *ast.IncDecStmt:
			write(n.X, n.Pos(), "written")
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 {
				if b, ok := info.Uses[id].(*types.Builtin); ok && slices.Contains([]string{"copy", "clear", "delete"}, b.Name()) {
					write(n.Args[0], n.Pos(), "written")
				}
			}
		case *ast.IndexExpr:
			if _, ok := under(info, n.X).(*types.Map); ok {
				write(n.X, n.Pos(), "a map that is used")
			}
		}
	})
}

// written is the field, captured variable or variable of the package that an
// assignment changes; private says that no other thread can see it.
func (f *fieldCheck) written(c *code, e ast.Expr) (owner *types.TypeName, what types.Object, private bool) {
	info := f.pass.TypesInfo
	var field types.Object
	byPointer := false
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[x]; s != nil {
				if v, ok := s.Obj().(*types.Var); ok && field == nil {
					field, owner = v, f.verbs.fields[v]
				}
				if _, ok := types.Unalias(info.TypeOf(x.X)).(*types.Pointer); ok || s.Indirect() {
					byPointer = true
				}
				e = x.X
				continue
			}
			// A variable of another package.
			return nil, info.ObjectOf(x.Sel), false
		case *ast.IndexExpr:
			if _, ok := under(info, x.X).(*types.Array); !ok {
				byPointer = true
			}
			e = x.X
		case *ast.StarExpr:
			byPointer = true
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.Ident:
			v, ok := info.ObjectOf(x).(*types.Var)
			switch {
			case !ok:
				return nil, nil, true
			case v.Parent() == f.pass.Pkg.Scope():
				return nil, v, false
			case field == nil:
				// A variable of its own, or one of what encloses it.
				if f.outside(c, v) {
					return nil, v, false
				}
				return nil, nil, true
			case owner == nil:
				return nil, nil, true // another's struct
			case !byPointer && !f.outside(c, v), f.fresh(c, v):
				return owner, field, true
			}
			return owner, field, false
		default: // what a call returns
			if owner == nil {
				return nil, nil, true
			}
			return owner, field, false
		}
	}
}

// outside says that a variable belongs to code that encloses this one and is no
// verb's: one that makes it, before the run.
func (f *fieldCheck) outside(c *code, v *types.Var) bool {
	if v.Pos() >= c.node.Pos() && v.Pos() < c.node.End() {
		return false
	}
	for _, o := range f.all { // the innermost that has it
		if o.verb != "" && v.Pos() >= o.node.Pos() && v.Pos() < o.node.End() {
			return false
		}
	}
	return true
}

// fresh says that a variable holds what the function has made itself.
func (f *fieldCheck) fresh(c *code, v *types.Var) bool {
	fresh := false
	f.within(c, func(n ast.Node) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return
		}
		for i, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && f.pass.TypesInfo.ObjectOf(id) == v {
				switch r := a.Rhs[i].(type) {
				case *ast.UnaryExpr:
					_, lit := r.X.(*ast.CompositeLit)
					fresh = r.Op == token.AND && lit
				case *ast.CallExpr:
					id, ok := r.Fun.(*ast.Ident)
					fresh = ok && id.Name == "new"
				}
			}
		}
	})
	return fresh
}

// covered says that the function, what it calls, or everybody who calls it touches
// a line of the owner: one of its own, where it has any, or else any line.
func (f *fieldCheck) covered(c *code, owner *types.TypeName, up bool) bool {
	key := coverKey{c, owner, up}
	switch f.memo[key] {
	case 1:
		return true
	case 2:
		return false
	}
	f.memo[key] = 1 // a cycle changes nothing
	ok := f.touches(c, owner, map[*code]bool{})
	if !ok && c.root == "" && len(c.callers) > 0 {
		ok = true
		for _, from := range c.callers {
			if from.verb != "" && from != c && !f.covered(from, owner, true) {
				ok = false
			}
		}
	}
	if !ok && entered[c.name] != "" {
		ok = slices.ContainsFunc(f.all, func(o *code) bool { return o.name == entered[c.name] && f.touches(o, owner, map[*code]bool{}) })
	}
	if !ok {
		f.memo[key] = 2
	}
	return ok
}

func (f *fieldCheck) touches(c *code, owner *types.TypeName, seen map[*code]bool) bool {
	if seen[c] {
		return false
	}
	seen[c] = true
	t, own := f.touched[c], f.lines[owner]
	if t.any && (len(own) == 0 || t.wild || slices.ContainsFunc(t.fields, func(o types.Object) bool {
		v, ok := o.(*types.Var)
		return ok && slices.Contains(own, v)
	})) {
		return true
	}
	return slices.ContainsFunc(c.calls, func(to *code) bool { return f.touches(to, owner, seen) })
}
