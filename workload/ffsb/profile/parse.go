package profile

import "io"

// Parse reads a profile of any generation.
func Parse(name string, r io.Reader) (*Profile, error) { panic("TODO") }
