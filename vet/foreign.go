package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Foreign reports synchronisation that no machine sees.
var Foreign = &analysis.Analyzer{
	Name:       "foreign",
	Doc:        "reports locks, atomics, channels, goroutines and shared maps of Go's own in the code of strategies, limits, drivers and designs",
	Requires:   []*analysis.Analyzer{verbsAnalyzer},
	FactTypes:  []analysis.Fact{(*synchronises)(nil)},
	ResultType: typeOf[map[*code][]direct](),
	Run:        runForeign,
}

// synchronises is known of a function that comes to a foreign use.
type synchronises struct{ What, Where, Instead string }

func (*synchronises) AFact()           {}
func (s *synchronises) String() string { return "uses " + s.What }

const foreignWhy = "is seen by no machine"

func runForeign(pass *analysis.Pass) (any, error) {
	v := verbsOf(pass)
	return spread(pass, v, v.foreign,
		func(d direct, where string) analysis.Fact { return &synchronises{d.what, where, d.instead} },
		func(fn *types.Func) (string, string, string, bool) {
			var s synchronises
			ok := pass.ImportObjectFact(fn, &s)
			return s.What, s.Where, s.Instead, ok
		}, foreignWhy), nil
}

// What there is in place of what is foreign.
const (
	useLock  = "machine.SpinLock, with Touch of the line of what it guards"
	useWord  = "machine.Word"
	useWait  = "machine.Completion"
	useRing  = "strategies/mpmc.Ring, or machine.Completion to wait"
	useGo    = "Machine.Go before the run"
	useSlice = "a slice by Device.Index or Thread.ID, or a plain map under a lock, with Touch of its line"
)

// instead is what to use in place of something of a package; "" where it is no
// synchronisation.
func instead(pkg, name string) string {
	kind, _, _ := strings.Cut(name, ".")
	switch {
	case pkg == "sync":
		switch kind {
		case "WaitGroup", "Cond", "NewCond":
			return useWait
		case "Once", "OnceFunc", "OnceValue", "OnceValues":
			return "the constructor, before the run"
		case "Map":
			return useSlice
		}
		if strings.HasSuffix(name, ".Unlock") || strings.HasSuffix(name, ".RUnlock") {
			return "" // its Lock is told
		}
		return useLock
	case pkg == "sync/atomic", pkg == "go.uber.org/atomic":
		return useWord
	case strings.HasPrefix(pkg, "golang.org/x/sync"), strings.HasPrefix(pkg, "github.com/puzpuzpuz/xsync"), strings.Contains(pkg, "lockfree"):
		return useLock
	case pkg == "runtime" && (name == "Gosched" || name == "LockOSThread" || name == "UnlockOSThread" || name == "Goexit" || name == "NumGoroutine"):
		return "Thread.Relax of the word that it waits for"
	case pkg == "context" && (strings.HasPrefix(name, "With") || kind == "Context"):
		return "Machine.Stopping"
	}
	return ""
}

// foreign finds what is foreign in a function.
func (v *verbs) foreign(c *code) []direct {
	info := v.pass.TypesInfo
	var out []direct
	add := func(pos token.Pos, what, instead string, of ...types.Object) {
		out = append(out, direct{pos, what, instead, of})
	}
	sel := map[*ast.Ident]bool{}
	v.within(c, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel[n.Sel] = true
			if pkg, name, pos, of := named(info, n); pkg != "" {
				if use := instead(pkg, name); use != "" {
					add(pos, path.Base(pkg)+"."+name, use, of...)
				}
			}
		case *ast.Ident:
			if pkg, name, pos, _ := named(info, n); pkg != "" && !sel[n] {
				if use := instead(pkg, name); use != "" {
					add(pos, path.Base(pkg)+"."+name, use)
				}
			}
		case *ast.GoStmt:
			add(n.Pos(), "a goroutine", useGo)
		case *ast.SelectStmt:
			add(n.Pos(), "a select of channels", useWait)
		case *ast.SendStmt:
			add(n.Pos(), "a send to a channel", useRing, base(info, n.Chan)...)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				add(n.Pos(), "a receive from a channel", useRing, base(info, n.X)...)
			}
		case *ast.RangeStmt:
			switch under(info, n.X).(type) {
			case *types.Chan:
				add(n.Pos(), "a receive from a channel", useRing, base(info, n.X)...)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 {
				if b, ok := info.Uses[id].(*types.Builtin); ok && (b.Name() == "close" || b.Name() == "make") {
					if _, ok := under(info, n.Args[0]).(*types.Chan); ok {
						add(n.Pos(), b.Name()+" of a channel", useWait, base(info, n.Args[0])...)
					}
				}
			}
		}
	})
	return out
}

func under(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}
