// Package layout says which fields of the kernel's structs share a cache line.
//
// Whoever owns data declares its fields by name, each with the line that it has
// of its own accord. A [Layout] is a table that puts fields elsewhere: together on
// one line, or on lines of their own. What a layout does not name stays where its
// owner has it, so that the empty layout changes nothing.
package layout
