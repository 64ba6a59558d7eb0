package profile

import (
	"io"
	"strings"
)

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

// detect tells the generation of a profile from its lines, by the rules in
// the package's documentation.
func detect(lines []line) Generation {
	var sections, configs, keysOfA, declared bool
	for _, l := range lines {
		key := l.key()
		switch {
		case strings.HasPrefix(l.text, "[config") || key == "numconfigs":
			configs = true
		case l.isHeader():
			sections = true
		case key == "num_filesystems" || key == "num_threadgroups":
			declared = true
		case key != "location" && !globalsC.has(key) && (globalsA.has(key) || configA.has(key)):
			keysOfA = true
		}
	}
	switch {
	case configs || keysOfA && !sections:
		return GenA
	case declared && !onlyC(lines):
		return GenB
	}
	return GenC
}

// onlyC reports whether anything in the lines is beyond generation B.
func onlyC(lines []line) bool {
	open := 0
	inSection := false
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l.text, "[stats"):
			open++
		case strings.HasPrefix(l.text, "[end]"):
			if open--; open < 0 {
				return true
			}
		case strings.HasPrefix(l.text, "[filesystem]"), strings.HasPrefix(l.text, "[threadgroup]"):
			return true
		case !l.isHeader() && (settingOnlyC(l) || inSection && globalsB.has(l.key())):
			return true
		}
		inSection = inSection || l.isHeader()
	}
	return false
}

// settingOnlyC reports whether only generation C knows such a setting.
func settingOnlyC(l line) bool {
	word, _ := cutWord(l.text)
	for _, key := range []string{l.key(), word} {
		known := globalsC.has(key) || fsC.has(key) || groupC.has(key) || statsC.has(key)
		old := globalsB.has(key) || fsB.has(key) || groupB.has(key) || statsB.has(key)
		if known && !old {
			return true
		}
	}
	key, val, ok := strings.Cut(cutComment(l.text), "=")
	if !ok || !fsB.has(l.key()) && !groupB.has(l.key()) && !globalsB.has(l.key()) {
		return false
	}
	switch {
	case trimBlanks(key) != key, trimBlanks(val) != val:
		return true
	case key == "bindfs":
		return !isDigits(val) && val != "-1"
	}
	return strings.HasSuffix(key, "size") && isSuffixedSize(val)
}
