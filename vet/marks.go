package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// mark is what a use that is meant is marked with, and why follows it.
const mark = "//lab:free"

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// readMarks finds the lines that stand as they are: a mark's own and the next, or
// all of what it is the comment of.
func (v *verbs) readMarks() {
	for _, f := range v.pass.Files {
		marked := func(g *ast.CommentGroup) bool {
			if g == nil {
				return false
			}
			for _, c := range g.List {
				if strings.HasPrefix(c.Text, mark) {
					return true
				}
			}
			return false
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				why, ok := strings.CutPrefix(c.Text, mark)
				if !ok {
					continue
				}
				if strings.TrimSpace(why) == "" {
					v.pass.Reportf(c.Pos(), "%s says no reason; write what this use is for behind it", mark)
				}
				v.free(c.Pos(), c.Pos())
				if v.pass.Fset.Position(g.End()).Line == v.pass.Fset.Position(c.Pos()).Line {
					at := v.pass.Fset.Position(c.Pos())
					v.marks[at.Filename][at.Line+1] = v.marks[at.Filename][at.Line+1] || ownLine(v.pass.Fset, f, c)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var doc *ast.CommentGroup
			switch n := n.(type) {
			case *ast.FuncDecl:
				doc = n.Doc
			case *ast.GenDecl:
				doc = n.Doc
			case *ast.TypeSpec:
				doc = n.Doc
			case *ast.Field:
				doc = n.Doc
			}
			if marked(doc) {
				v.free(n.Pos(), n.End())
			}
			return true
		})
	}
}

// ownLine says that nothing but the comment is on its line.
func ownLine(fset *token.FileSet, f *ast.File, c *ast.Comment) bool {
	line, own := fset.Position(c.Pos()).Line, true
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.File, *ast.Comment, *ast.CommentGroup:
			return n != nil
		}
		if fset.Position(n.Pos()).Line == line || fset.Position(n.End()).Line == line {
			own = false
		}
		return own
	})
	return own
}

func (v *verbs) free(from, to token.Pos) {
	a, b := v.pass.Fset.Position(from), v.pass.Fset.Position(to)
	lines := v.marks[a.Filename]
	if lines == nil {
		lines = map[int]bool{}
		v.marks[a.Filename] = lines
	}
	for l := a.Line; l <= b.Line; l++ {
		lines[l] = true
	}
}

// stands says that a use is meant: its place is marked, or the declaration of the
// field that it is a use of.
func (v *verbs) stands(at token.Pos, of ...types.Object) bool {
	marked := func(p token.Pos) bool {
		where := v.pass.Fset.Position(p)
		return v.marks[where.Filename][where.Line]
	}
	if marked(at) {
		return true
	}
	for _, o := range of {
		if o != nil && o.Pos().IsValid() && marked(o.Pos()) {
			return true
		}
	}
	return false
}

// base is the field or variable that an expression ends in before what is called
// or selected of it, and the fields on the way to it.
func base(info *types.Info, e ast.Expr) []types.Object {
	var out []types.Object
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			out = append(out, info.ObjectOf(x.Sel))
			if s := info.Selections[x]; s != nil {
				out = append(out, s.Obj())
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		case *ast.Ident:
			return append(out, info.ObjectOf(x))
		default:
			return out
		}
	}
}
