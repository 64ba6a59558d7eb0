package spec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"hostlock/machine/param"
)

// maxFaults bounds what is said of one file: nobody reads the rest.
const maxFaults = 20

// document is a TOML file as it is checked: its values, where each key stands,
// and what is wrong with it.
type document struct {
	file   string
	legal  keys
	values map[string]any
	at     map[string]param.Place // "cores", "scale.parameters", "parameter[0].value"
	faults []*UsageError
}

// decode reads the TOML of a file and holds its keys against the legal ones.
func decode(name string, text []byte, legal keys) *document {
	d := &document{file: name, legal: legal, at: map[string]param.Place{}}
	if why := notText(text); why != "" {
		d.faultAt(d.line(1), "", "%s", why)
		return d
	}
	d.index(text)
	var de *toml.DecodeError
	switch err := toml.Unmarshal(text, &d.values); {
	case errors.As(err, &de):
		line, _ := de.Position()
		d.faultAt(d.line(line), strings.Join(de.Key(), "."), "%s", plain(de))
	case err != nil:
		d.faultAt(d.line(1), "", "%s", oneLine(err.Error()))
	default:
		d.check("", "", d.values)
	}
	return d
}

func (d *document) line(n int) param.Place { return param.Place{File: d.file, Line: n} }

// err is every fault in the order of the file, nil where there is none.
func (d *document) err() error {
	if len(d.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(d.faults, func(a, b *UsageError) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.Text, b.Text))
	})
	if len(d.faults) == 1 {
		return d.faults[0]
	}
	all := &UsageError{At: d.faults[0].At, Parameter: d.faults[0].Parameter, Err: d.faults[0]}
	var lines []string
	for _, f := range d.faults[:min(maxFaults, len(d.faults))] {
		lines = append(lines, f.Text)
	}
	if more := len(d.faults) - maxFaults; more > 0 {
		lines = append(lines, fmt.Sprintf("%v: and %d more faults", d.faults[maxFaults].At, more))
	}
	all.Text = strings.Join(lines, "\n")
	return all
}

// fault finds fault with a key, or with the file as a whole where it does not
// have it.
func (d *document) fault(key, format string, args ...any) {
	at := d.place(key)
	if !at.IsValid() {
		at = d.line(1)
	}
	d.faultAt(at, key, format, args...)
}

func (d *document) faultAt(at param.Place, key, format string, args ...any) {
	d.faults = append(d.faults, ErrorAt(at, key, format, args...).(*UsageError))
}

// place is where a key stands; one that has no place of its own stands where
// its table does.
func (d *document) place(key string) param.Place {
	for {
		if at, ok := d.at[key]; ok || key == "" {
			return at
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
}

// index finds where the keys of a TOML text stand. It stops where the text is
// not TOML; the decoder says what is wrong there.
func (d *document) index(text []byte) {
	ix := indexer{d: d, text: text, line: 1, count: map[string]int{}}
	ix.p.Reset(text)
	prefix := ""
	for ix.p.NextExpression() {
		switch e := ix.p.Expression(); e.Kind {
		case unstable.Table:
			key := ix.key(e, "")
			prefix = key + "."
		case unstable.ArrayTable:
			prefix = ix.key(e, "") + "."
		case unstable.KeyValue:
			ix.keyValue(e, prefix)
		}
	}
}

// indexer goes through a text once, counting its lines.
type indexer struct {
	d     *document
	p     unstable.Parser
	text  []byte
	seen  int // bytes whose lines are counted
	line  int
	count map[string]int // elements so far of each array of tables
}

// key records the place of a key, and is its path.
func (ix *indexer) key(e *unstable.Node, prefix string) string {
	var parts []string
	at := -1
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if at < 0 {
			at = int(n.Raw.Offset)
		}
		parts = append(parts, string(n.Data))
	}
	if at > ix.seen {
		ix.line += bytes.Count(ix.text[ix.seen:at], []byte{'\n'})
		ix.seen = at
	}
	path := prefix + strings.Join(parts, ".")
	here := ix.d.line(ix.line)
	if _, dup := ix.d.at[path]; !dup {
		ix.d.at[path] = here
	}
	if e.Kind == unstable.ArrayTable {
		element := fmt.Sprintf("%s[%d]", path, ix.count[path])
		ix.count[path]++
		path = element
		ix.d.at[path] = here
	}
	return path
}

// keyValue records a key and those of tables in line.
func (ix *indexer) keyValue(e *unstable.Node, prefix string) {
	ix.inline(e.Value(), ix.key(e, prefix))
}

func (ix *indexer) inline(v *unstable.Node, path string) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			ix.keyValue(it.Node(), path+".")
		}
		// The first key stands where the table begins.
		if _, known := ix.d.at[path]; !known {
			ix.d.at[path] = ix.d.line(ix.line)
		}
	case unstable.Array:
		n := 0
		for it := v.Children(); it.Next(); n++ {
			if it.Node().Kind == unstable.InlineTable {
				ix.inline(it.Node(), fmt.Sprintf("%s[%d]", path, n))
			}
		}
	}
}

// plain words a decoder's error without the library's name.
func plain(de *toml.DecodeError) string {
	msg := strings.TrimPrefix(de.Error(), "toml: ")
	if key := strings.Join(de.Key(), "."); key != "" && !strings.Contains(msg, key) {
		msg = key + ": " + msg
	}
	return oneLine(msg)
}

// oneLine keeps a message that quotes a file on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// notText is what is wrong with a text that no editor of TOML writes; "" is
// nothing.
func notText(text []byte) string {
	const legal = "; legal: TOML in UTF-8 without a byte order mark"
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return "the file begins with a byte order mark" + legal
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "the file is UTF-16" + legal
	case bytes.IndexByte(text, 0) >= 0:
		return "the file holds a NUL byte, as no text does" + legal
	}
	return ""
}
