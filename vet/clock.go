package vet

import (
	"go/ast"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Clock reports clocks and random numbers that are not the machine's, and orders
// that Go draws by lot.
var Clock = &analysis.Analyzer{
	Name:      "clock",
	Doc:       "reports package time's clock and timers, random numbers of Go's own, and loops over maps in the code of strategies, limits, drivers and designs",
	Requires:  []*analysis.Analyzer{verbsAnalyzer},
	FactTypes: []analysis.Fact{(*clocks)(nil)},
	Run:       runClock,
}

// clocks is known of a function that comes to such a use.
type clocks struct{ What, Where, Instead string }

func (*clocks) AFact()           {}
func (s *clocks) String() string { return "uses " + s.What }

const clockWhy = "is not the machine's"

func runClock(pass *analysis.Pass) (any, error) {
	v := verbsOf(pass)
	spread(pass, v, v.clock,
		func(d direct, where string) analysis.Fact { return &clocks{d.what, where, d.instead} },
		func(fn *types.Func) (string, string, string, bool) {
			var s clocks
			ok := pass.ImportObjectFact(fn, &s)
			return s.What, s.Where, s.Instead, ok
		}, clockWhy)
	return nil, nil
}

// ofTime are what package time has beside lengths and dates.
var ofTime = map[string]string{
	"Now": "Thread.Now", "Since": "Thread.Now", "Until": "Thread.Now",
	"Sleep": "Thread.Sleep, or Thread.Work to spend the time on the core",
	"After": "machine.Timer", "AfterFunc": "machine.Timer", "Tick": "machine.Timer",
	"NewTimer": "machine.Timer", "NewTicker": "machine.Timer", "Timer": "machine.Timer", "Ticker": "machine.Timer",
}

func (v *verbs) clock(c *code) []direct {
	info := v.pass.TypesInfo
	var out []direct
	v.within(c, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, name, pos, of := named(info, n)
			use := ""
			switch {
			case pkg == "time":
				use = ofTime[name]
			case pkg == "math/rand", pkg == "math/rand/v2":
				// Thread.Rand is one of these, and so methods are fine.
				if info.Selections[n] == nil && !isConst(info, n.Sel) {
					use = "Thread.Rand, or machine.Rand with the machine's seed in the constructor"
				}
			case pkg == "crypto/rand", pkg == "hash/maphash":
				use = "Thread.Rand"
			}
			if use != "" {
				out = append(out, direct{pos, path.Base(strings.TrimSuffix(pkg, "/v2")) + "." + name, use, of})
			}
		case *ast.RangeStmt:
			if _, ok := under(info, n.X).(*types.Map); ok {
				out = append(out, direct{n.Pos(), "the order of a loop over a map", "a slice, or the keys in order", base(info, n.X)})
			}
		}
	})
	return out
}

func isConst(info *types.Info, id *ast.Ident) bool {
	switch info.Uses[id].(type) {
	case *types.Const, *types.TypeName:
		return true
	}
	return false
}
