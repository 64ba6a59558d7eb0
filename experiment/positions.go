package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// index is where the keys of a file stand, and what is wrong with them.
type index struct {
	legal  keys
	pos    map[string]Pos // "cores", "scale.parameters", "parameter[0].value"
	faults []fault
}

// fault is one thing that is wrong with a file.
type fault struct {
	pos  Pos
	text string
}

// indexKeys finds the keys of a TOML text and holds them against the legal
// ones, letter by letter, which the decoder does not: it takes CORES for
// cores and [parameter] for [[parameter]]. It stops where the text is not
// TOML; the decoder says what is wrong there.
func indexKeys(name string, text []byte, legal keys) index {
	ix := index{legal: legal, pos: map[string]Pos{}}
	count := map[string]int{} // elements so far of each array of tables
	table, prefix := "", ""
	known := true
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		parts, line := keyOf(&p, e)
		key, at := strings.Join(parts, "."), Pos{File: name, Line: line}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			brackets := "[" + key + "]"
			table, prefix = key, key
			if e.Kind == unstable.ArrayTable {
				brackets = "[" + brackets + "]"
				prefix = key + "[" + strconv.Itoa(count[key]) + "]"
				count[key]++
			}
			ix.place(prefix, at)
			prefix += "."
			if known = slices.Contains(legal[""], brackets); !known {
				ix.fault(at, "unknown table %s; legal: %s", brackets, strings.Join(legal.tables(), ", "))
			}
		case unstable.KeyValue:
			ix.place(prefix+key, at)
			if known {
				ix.checkKey(at, table, parts)
			}
		}
	}
	return ix
}

// place records the first place of a key.
func (ix *index) place(key string, at Pos) {
	if _, dup := ix.pos[key]; !dup {
		ix.pos[key] = at
	}
}

func (ix *index) fault(at Pos, format string, args ...any) {
	ix.faults = append(ix.faults, fault{at, fmt.Sprintf(format, args...)})
}

// checkKey finds fault with a key that its table may not have. A dotted key
// and a list of tables in line are legal TOML for what is otherwise a table of
// its own.
func (ix *index) checkKey(at Pos, table string, parts []string) {
	if _, is := ix.legal[parts[0]]; is && table == "" {
		if len(parts) == 1 {
			return
		}
		table, parts = parts[0], parts[1:]
	}
	if len(parts) == 1 && slices.Contains(ix.legal[table], parts[0]) {
		return
	}
	where := ""
	switch _, experiment := ix.legal["case"]; {
	case table != "":
		where = " in " + table
	case !experiment:
		where = " in a cost table"
	}
	how := ""
	if len(parts) > 1 && slices.Contains(ix.legal[""], "[[parameter]]") {
		how = "; a parameter is no key: it is written as a [[parameter]] with its name and value"
	}
	ix.fault(at, "unknown key %q%s; legal: %s%s", strings.Join(parts, "."), where, strings.Join(ix.legal[table], ", "), how)
}

// tables are the tables that the file may have.
func (k keys) tables() []string {
	var out []string
	for _, k := range k[""] {
		if strings.HasPrefix(k, "[") {
			out = append(out, k)
		}
	}
	return out
}

// keyOf is the dotted key of an expression, and its line.
func keyOf(p *unstable.Parser, e *unstable.Node) ([]string, int) {
	if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
		return nil, 0
	}
	var parts []string
	line := 0
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if line == 0 {
			line = p.Shape(n.Raw).Start.Line
		}
		parts = append(parts, string(n.Data))
	}
	return parts, line
}
