package experiment

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decode reads the TOML of an experiment's file, strictly. Faults come in the
// order of the file.
func decode(name string, text []byte) (*file, index, []fault) {
	ix := indexKeys(name, text)
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
			ix.fault(Pos{name, line}, "unknown key %q; legal: %s", key[len(key)-1], strings.Join(legalKeys[table], ", "))
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
	for name := range legalKeys {
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
