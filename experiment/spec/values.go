package spec

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// table is one table of a document; what it has not is a default, what is of
// the wrong type a fault.
type table struct {
	d      *document
	path   string // "" for the file itself, else with its dot
	values map[string]any
}

func (d *document) root() table { return table{d: d, values: d.values} }

// tables are the elements of an array of tables, or the one table.
func (t table) tables(key string) []table {
	switch v := t.values[key].(type) {
	case map[string]any:
		return []table{{t.d, key + ".", v}}
	case []any:
		list, _ := tablesOf(v)
		out := make([]table, len(list))
		for i, e := range list {
			out[i] = table{t.d, fmt.Sprintf("%s[%d].", key, i), e}
		}
		return out
	}
	return nil
}

func (t table) fault(key, format string, args ...any) { t.d.fault(t.path+key, format, args...) }

// get is a value of a Go type that the decoder gives; ok says that it is there.
func get[T any](t table, key, legal string) (v T, ok bool) {
	raw, given := t.values[key]
	if !given {
		return v, false
	}
	if v, ok = raw.(T); !ok {
		name := strings.NewReplacer("[", ".", "]", "").Replace(t.path)
		if i := strings.IndexByte(name, '.'); i >= 0 {
			name = name[:i+1] // which element it is, the line says
		}
		t.fault(key, "%s%s: is a TOML %s; legal: %s", name, key, typeName(raw), legal)
	}
	return v, ok
}

// typeName is what TOML calls a value's type.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case int64:
		return "integer"
	case float64:
		return "float"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "table"
	}
	return "date or time"
}

func (t table) text(key, def string) string {
	if v, ok := get[string](t, key, "text in quotes"); ok {
		return v
	}
	return def
}

func (t table) need(key string) string {
	_, given := t.values[key]
	v, ok := get[string](t, key, "text in quotes")
	if strings.TrimSpace(v) == "" && (ok || !given) {
		t.fault(key, "%s is missing or empty", key)
	}
	return v
}

func (t table) flag(key string) bool {
	v, _ := get[bool](t, key, "true or false")
	return v
}

func (t table) texts(key string) []string {
	const legal = "a list of texts in quotes"
	list, _ := get[[]any](t, key, legal)
	var out []string
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			t.fault(key, "%s: holds a TOML %s; legal: %s", key, typeName(e), legal)
			return nil
		}
		out = append(out, s)
	}
	return out
}

// count reads a whole number from 1 up; def stands for a key that is missing,
// and -1 for one that must not be.
func (t table) count(key string, def, most int) int {
	v, ok := get[int64](t, key, "a whole number")
	_, given := t.values[key]
	switch {
	case !given && def < 0:
		t.fault(key, "%s is missing; legal: 1 to %d", key, most)
	case !given:
		return def
	case ok && (v < 1 || v > int64(most)):
		t.fault(key, "%s=%d: out of range; legal: 1 to %d", key, v, most)
		return 0
	}
	return int(v)
}

func (t table) seed() uint64 {
	v, ok := get[int64](t, "seed", "a whole number")
	switch {
	case !ok:
		return 1
	case v < 0:
		t.fault("seed", "seed=%d: negative; legal: a whole number, 0 or more", v)
	}
	return uint64(v)
}

func (t table) duration(key string, positive bool) time.Duration {
	text, ok := get[string](t, key, "text in quotes")
	if !ok {
		return 0
	}
	v, err := ParseDuration(text, positive)
	if err != nil {
		t.fault(key, "%s=%q: %w", key, text, err)
	}
	return v
}

// valueText is a parameter's TOML value as the text that machine/param reads.
func valueText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
