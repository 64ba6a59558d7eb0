package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Dummy reports operations on words that are made for show.
var Dummy = &analysis.Analyzer{
	Name:     "dummy",
	Doc:      "reports words that are loaded for nothing, and words that nobody reads beside foreign synchronisation",
	Requires: []*analysis.Analyzer{verbsAnalyzer, Foreign},
	Run:      runDummy,
}

func runDummy(pass *analysis.Pass) (any, error) {
	v := verbsOf(pass)
	foreign := pass.ResultOf[Foreign].(map[*code][]direct)
	info := pass.TypesInfo

	// By word: whether anybody looks at it, and where it is written for nobody.
	type word struct {
		read bool
		at   []ast.Node
		in   []*code
	}
	words := map[types.Object]*word{}
	var order []types.Object
	of := func(o types.Object) *word {
		if words[o] == nil {
			words[o] = &word{}
			order = append(order, o)
		}
		return words[o]
	}
	for _, c := range v.all {
		thrown := map[ast.Node]bool{}
		v.within(c, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.ExprStmt:
				thrown[n.X] = true
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && id.Name == "_" && len(n.Lhs) == len(n.Rhs) {
						thrown[n.Rhs[i]] = true
					}
				}
			}
		})
		operated := map[ast.Node]bool{} // selectors of words that an operation is called of
		v.within(c, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !isType(info.TypeOf(sel.X), machinePkg, "Word") {
				return
			}
			path := base(info, sel.X)
			if len(path) == 0 || path[0] == nil {
				return
			}
			ast.Inspect(sel.X, func(n ast.Node) bool { operated[n] = n != nil || operated[n]; return true })
			w := of(path[0])
			switch name := sel.Sel.Name; {
			case name == "Init", name == "Line":
			case name == "Load" && thrown[call]:
				if c.verb != "" && !v.stands(call.Pos(), path...) {
					pass.Report(analysis.Diagnostic{Pos: call.Pos(), Category: c.verb,
						Message: c.verb + ": a word is loaded and its value thrown away: an operation for show; use the value, or leave it out"})
				}
				w.at, w.in = append(w.at, call), append(w.in, c)
			case thrown[call] || name == "Store":
				w.at, w.in = append(w.at, call), append(w.in, c)
			default:
				w.read = true
			}
		})
		// Whatever else is done with a word may read it.
		v.within(c, func(n ast.Node) {
			if e, ok := n.(ast.Expr); ok && !operated[n] && isType(info.TypeOf(e), machinePkg, "Word") {
				for _, o := range base(info, e)[:min(1, len(base(info, e)))] {
					if _, selected := n.(*ast.Ident); o != nil && !selected {
						of(o).read = true
					}
				}
			}
		})
	}
	for _, o := range order {
		w := words[o]
		if w.read {
			continue
		}
		for i, at := range w.at {
			c := w.in[i]
			if call := at.(*ast.CallExpr).Fun.(*ast.SelectorExpr); c.verb == "" || call.Sel.Name == "Load" || len(foreign[c]) == 0 || v.stands(at.Pos(), o) {
				continue
			}
			pass.Report(analysis.Diagnostic{Pos: at.Pos(), Category: c.verb,
				Message: c.verb + ": nobody reads " + o.Name() + ", which is changed beside " + foreign[c][0].what + ": an operation for show; use the word in place of that"})
		}
	}
	return nil, nil
}
