package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// direct is one use of something that does not belong into a verb.
type direct struct {
	pos     token.Pos
	what    string         // such as "sync.Mutex.Lock"
	instead string         // what to use
	of      []types.Object // what it is a use of
}

// spread reports what the code of verbs uses directly, and calls in other packages
// that come to such a use. It notes, for packages that import this one, which
// functions do.
func spread(pass *analysis.Pass, v *verbs, find func(c *code) []direct, fact func(d direct, where string) analysis.Fact, told func(fn *types.Func) (what, where, instead string, ok bool), why string) map[*code][]direct {
	own := map[*code][]direct{}
	for _, c := range v.all {
		for _, d := range find(c) {
			if !v.stands(d.pos, d.of...) {
				own[c] = append(own[c], d)
			}
		}
		for _, x := range c.external {
			if instead(x.obj.Pkg().Path(), x.obj.Name()) != "" {
				continue // told as such, or meant
			}
			known := slices.ContainsFunc(own[c], func(d direct) bool { return d.pos == x.at.Pos() })
			if what, where, instead, ok := told(x.obj.(*types.Func)); ok && !known && !v.stands(x.at.Pos()) {
				own[c] = append(own[c], direct{pos: x.at.Pos(), what: x.obj.Pkg().Name() + "." + x.obj.Name() + " uses " + what + " (" + where + ")", instead: instead})
			}
		}
	}
	lines := map[string]bool{}
	for _, c := range v.all {
		if c.verb == "" {
			continue
		}
		for _, d := range own[c] {
			if place := v.place(d.pos) + d.what; !lines[place] {
				lines[place] = true
				pass.Report(analysis.Diagnostic{Pos: d.pos, Category: c.verb, Message: c.verb + ": " + d.what + " " + why + "; use " + d.instead})
			}
		}
	}
	// What others may call comes to what it calls; verbs are told here.
	for _, c := range v.all {
		if c.fn == nil || !c.fn.Exported() || c.verb != "" {
			continue
		}
		seen := map[*code]bool{}
		var first func(c *code) *direct
		first = func(c *code) *direct {
			if seen[c] {
				return nil
			}
			seen[c] = true
			if len(own[c]) > 0 {
				return &own[c][0]
			}
			for _, to := range c.calls {
				if d := first(to); d != nil {
					return d
				}
			}
			return nil
		}
		if d := first(c); d != nil {
			pass.ExportObjectFact(c.fn, fact(*d, v.place(d.pos)))
		}
	}
	return own
}

// named is a use of a function, a type or a variable of another package.
func named(info *types.Info, n ast.Node) (pkg, name string, pos token.Pos, of []types.Object) {
	var id *ast.Ident
	switch n := n.(type) {
	case *ast.SelectorExpr:
		id = n.Sel
		of = base(info, n.X)
		if s := info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
			// Which type has the method, and by way of which fields.
			if t, ok := recv(s.Obj()); ok {
				name = t + "."
			}
			of = append(of, embedded(s)...)
		}
	case *ast.Ident: // of a package that is imported without a name
		id = n
	default:
		return "", "", 0, nil
	}
	obj := info.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return "", "", 0, nil
	}
	if _, ok := obj.(*types.PkgName); ok {
		return "", "", 0, nil
	}
	return obj.Pkg().Path(), name + obj.Name(), id.Pos(), of
}

// recv is the name of the type that has a method.
func recv(obj types.Object) (string, bool) {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return "", false
	}
	t := fn.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name(), true
	}
	return "", false
}

// embedded are the fields on the way to a promoted method.
func embedded(s *types.Selection) []types.Object {
	var out []types.Object
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		out = append(out, st.Field(i))
		t = st.Field(i).Type()
	}
	return out
}
