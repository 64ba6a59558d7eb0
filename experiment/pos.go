package experiment

import "strconv"

// Pos is a place in an experiment's file. The zero Pos stands for a value
// that no file gave.
type Pos struct {
	File string
	Line int // from 1
}

// IsValid reports whether p is a place in a file.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String is "file:line", or "" for the zero Pos.
func (p Pos) String() string {
	if !p.IsValid() {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}
