package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// bareBodies are functions whose body is the seam itself: what one would write
// by hand in their place. Sections, touched lines and interrupt states exist
// for the other machines only; a lock written by hand counts and samples
// nothing.
var bareBodies = map[string]string{
	"Thread.Enter":      `{}`,
	"Thread.Leave":      `{}`,
	"Thread.Touch":      `{}`,
	"Thread.Look":       `{}`,
	"Thread.IRQSave":    `{ return false }`,
	"Thread.IRQRestore": `{}`,
	"SpinLock.Lock":     `{ if !l.state.CompareAndSwap(free, held) { l.spinBare() } }`,
	"SpinLock.TryLock":  `{ return l.state.CompareAndSwap(free, held) }`,
	"SpinLock.Unlock":   `{ l.state.Store(free) }`,
}

// bareSpin is the slow path of a test-and-set lock by hand, with the guard
// against a holder that is not running, without which goroutines would hang.
const bareSpin = `

//go:noinline
func (l *SpinLock) spinBare() {
	for n := 1; ; n++ {
		if l.state.Load() == free && l.state.CompareAndSwap(free, held) {
			return
		}
		if n%DefaultSpinLimit == 0 {
			runtime.Gosched()
		}
	}
}
`

// writeBare writes package machine without the seam into dir, and the overlay
// that builds with it; it returns the overlay's name and how many hooks were
// taken out.
func writeBare(dir string) (overlay string, hooks int, err error) {
	files, err := filepath.Glob("machine/*.go")
	if err != nil {
		return "", 0, err
	}
	replace := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, n, err := bare(file)
		if err != nil {
			return "", 0, err
		}
		if n == 0 {
			continue
		}
		hooks += n
		to := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return "", 0, err
		}
		from, err := filepath.Abs(file)
		if err != nil {
			return "", 0, err
		}
		replace[from] = to
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", 0, err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, hooks, os.WriteFile(overlay, data, 0o600)
}

// edit replaces a stretch of a file.
type edit struct {
	from, to int
	text     string
}

// bare is a file without its hooks, and how many there were.
func bare(file string) (text []byte, hooks int, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, source, 0)
	if err != nil {
		return nil, 0, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var edits []edit
	spin := false
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		name := receiver(fn) + "." + fn.Name.Name
		if body, ok := bareBodies[name]; ok {
			edits = append(edits, edit{at(fn.Body.Pos()), at(fn.Body.End()), body})
			spin = spin || name == "SpinLock.Lock"
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			i, ok := n.(*ast.IfStmt)
			if ok && i.Init == nil && i.Else == nil && hooked(i.Cond) {
				edits = append(edits, edit{from: at(i.Pos()), to: at(i.End())})
				return false
			}
			return true
		})
	}
	for i := len(edits) - 1; i >= 0; i-- { // the last first, so that places stay
		e := edits[i]
		source = append(source[:e.from:e.from], append([]byte(e.text), source[e.to:]...)...)
	}
	if spin {
		source = append(bytes.Replace(source, []byte("import ("), []byte("import (\n\t\"runtime\""), 1), bareSpin...)
	}
	return source, len(edits), nil
}

// hooked reports whether an expression is t.hook != nil.
func hooked(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ {
		return false
	}
	s, ok := b.X.(*ast.SelectorExpr)
	nothing, isIdent := b.Y.(*ast.Ident)
	return ok && isIdent && s.Sel.Name == "hook" && nothing.Name == "nil"
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
