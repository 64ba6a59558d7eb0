package experiment

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decode reads the TOML of a file with an experiment's tables, or some of them,
// strictly. Faults come in the
// order of the file.
func decode(name string, text []byte, legal keys) (*file, index, []fault) {
	if why := notText(text); why != "" {
		return nil, index{}, []fault{{Pos{name, 1}, why}}
	}
	ix := indexKeys(name, text, legal)
	if len(ix.faults) > 0 {
		return nil, ix, ix.faults
	}
	var f file
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f)
	if err == nil {
		return &f, ix, nil
	}
	// What the index does not see are unknown keys of tables in line.
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		for _, e := range strict.Errors {
			key := e.Key()
			line, _ := e.Position()
			table := ix.tableAt(line)
			ix.fault(Pos{name, line}, "unknown key %q; legal: %s", key[len(key)-1], strings.Join(ix.legal[table], ", "))
		}
		return nil, ix, ix.faults
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, _ := de.Position()
		ix.fault(Pos{name, line}, "%s", plain(de))
		return nil, ix, ix.faults
	}
	ix.fault(Pos{name, 1}, "%s", oneLine(err.Error()))
	return nil, ix, ix.faults
}

// tableAt is the table in line that a line lies in: the last one that begins
// there or before.
func (ix *index) tableAt(line int) string {
	table, last := "", 0
	for name := range ix.legal {
		if p, ok := ix.pos[name]; ok && p.Line > last && p.Line <= line {
			table, last = name, p.Line
		}
	}
	return table
}

var wrongType = regexp.MustCompile(`cannot decode TOML (\S+) into .* of type (\S+)$`)

// wanted says what a Go type of the file's layout is in TOML.
var wanted = map[string]string{
	"int64":    "a whole number",
	"string":   "text in quotes",
	"bool":     "true or false",
	"[]string": "a list of texts in quotes",
}

// plain words a decoder's error without the names of our own types.
func plain(de *toml.DecodeError) string {
	msg := strings.TrimPrefix(de.Error(), "toml: ")
	key := strings.Join(de.Key(), ".")
	if m := wrongType.FindStringSubmatch(msg); m != nil {
		if want, ok := wanted[strings.TrimPrefix(m[2], "*")]; ok {
			return key + ": is a TOML " + m[1] + "; legal: " + want
		}
		return key + ": is a TOML " + m[1] + ", which is not legal here"
	}
	if key != "" && !strings.Contains(msg, key) {
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
