package profile

import "io"

// Parse reads a profile of any generation; name stands for the file in every
// position. Whatever FFSB would refuse, misread or crash on is an [*Error].
// What FFSB takes but may surprise is in the profile's Warnings.
func Parse(name string, r io.Reader) (*Profile, error) {
	lines, end, err := readLines(name, r)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, errorAt(end, "the file holds no setting at all; legal: an FFSB profile with at least a [filesystem] and a [threadgroup] section")
	}
	gen := detect(lines)
	parse := map[Generation]func(reader) (*reader, *Profile, error){GenA: parseA, GenB: parseB, GenC: parseC}[gen]
	in, p, err := parse(reader{gen: gen, lines: lines, end: end})
	if err != nil {
		return nil, err
	}
	p.Name, p.Generation = name, gen
	in.trimAge(p)
	c := checker{profile: p, gen: gen, end: end, warn: in.warn}
	if err := c.profileHolds(); err != nil {
		return nil, err
	}
	p.Warnings = in.sorted()
	return p, nil
}
