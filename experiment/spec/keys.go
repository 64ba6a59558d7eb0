package spec

import (
	"fmt"
	"slices"
	"strings"

	"hostlock/closest"
)

// keys lists, for each table of a file, the keys that it may have; "" is the
// file itself. A name in brackets is a table, as TOML writes it.
type keys map[string][]string

// costKeys are those of a cost table.
var costKeys = keys{"": {"name", "title", "like", "[[parameter]]"}, "parameter": experimentKeys["parameter"]}

// experimentKeys are those of an experiment's file.
var experimentKeys = keys{
	"": {"name", "title", "about", "source", "strategy", "driver", "workload", "machine",
		"cores", "sockets", "threads", "hbas", "luns_per_hba", "duration", "warmup", "live_duration", "seed",
		"not_given", "used_to_fit", "[driver]", "[scale]", "[[parameter]]", "[[case]]"},
	"scale":     {"parameters"},
	"parameter": {"name", "value", "fitted", "source", "doubt"},
	"case":      {"name", "strategy", "driver", "workload", "set"},
}

// tables are the tables that the file may have.
func (k keys) tables() []string {
	return slices.DeleteFunc(slices.Clone(k[""]), func(key string) bool { return !strings.HasPrefix(key, "[") })
}

// check finds fault with the keys of a table that it may not have; path is
// where the table stands.
func (d *document) check(table, path string, values map[string]any) {
	for key, v := range values {
		full := path + key
		brackets, elements := "", []map[string]any(nil)
		switch v := v.(type) {
		case map[string]any:
			brackets, elements = "["+key+"]", []map[string]any{v}
		case []any:
			if tables, ok := tablesOf(v); ok {
				brackets, elements = "[["+key+"]]", tables
			}
		}
		switch legal := d.legal[table]; {
		case slices.Contains(legal, key):
		case table == "" && brackets != "" && slices.Contains(legal, brackets):
			for i, e := range elements {
				at := full + "."
				if strings.HasPrefix(brackets, "[[") {
					at = fmt.Sprintf("%s[%d].", full, i)
				}
				d.check(key, at, e)
			}
		case table == "" && brackets != "" && d.at[full].IsValid():
			d.fault(full, "unknown table %s; legal: %s", brackets, strings.Join(d.legal.tables(), ", "))
		default:
			d.unknown(table, path, key, v)
		}
	}
}

// tablesOf are the elements of a list that holds tables alone.
func tablesOf(list []any) ([]map[string]any, bool) {
	var out []map[string]any
	for _, e := range list {
		t, ok := e.(map[string]any)
		if !ok {
			return nil, false
		}
		out = append(out, t)
	}
	return out, len(out) > 0
}

// unknown says which keys there are. A dotted key is a table to the decoder,
// and is named as it was written.
func (d *document) unknown(table, path, key string, v any) {
	dotted := key
	for full := path + key; !d.at[full].IsValid(); full = path + dotted {
		t, ok := v.(map[string]any)
		if !ok || len(t) != 1 {
			break
		}
		for k, inner := range t {
			dotted, v = dotted+"."+k, inner
		}
	}
	where := ""
	_, experiment := d.legal["case"]
	_, layout := d.legal["line"]
	switch {
	case table != "":
		where = " in " + table
	case layout:
		where = " in a layout"
	case !experiment:
		where = " in a cost table"
	}
	how := ""
	if dotted != key && slices.Contains(d.legal[""], "[[parameter]]") {
		how = "; a parameter is no key: it is written as a [[parameter]] with its name and value"
	}
	if how == "" {
		how = closest.Hint(dotted, d.legal[table])
	}
	d.fault(path+dotted, "unknown key %q%s; legal: %s%s", dotted, where, strings.Join(d.legal[table], ", "), how)
}
