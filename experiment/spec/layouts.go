package spec

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"hostlock/closest"
	"hostlock/files"
	"hostlock/machine/layout"
)

const layoutDir = "layouts"

//go:embed layouts/*.toml
var layoutFS embed.FS

// OwnLayout is the name of what places nothing: every field stays on the line that
// its owner has it on.
const OwnLayout = "own"

// maxLines bounds a layout: far more than there are fields.
const maxLines = 4096

// layoutKeys are those of a layout.
var layoutKeys = keys{"": {"name", "title", "[[line]]"}, "line": {"name", "fields", "strategy", "source"}}

// Layouts lists the names of all layouts.
func Layouts() []string {
	entries, err := layoutFS.ReadDir(layoutDir)
	if err != nil {
		panic("spec: embedded layouts are missing: " + err.Error())
	}
	names := []string{OwnLayout}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// LayoutText is the file of an embedded layout; ok is false for any other name.
func LayoutText(name string) (text []byte, ok bool) {
	text, err := layoutFS.ReadFile(layoutFile(name))
	return text, err == nil
}

func layoutFile(name string) string {
	return path.Join(layoutDir, strings.ReplaceAll(name, "_", "-")+".toml")
}

// LoadLayout reads a layout by its name, or any by its file: the lab's own format,
// or what pahole prints. A name wins over a file. The layout [OwnLayout] is nil.
// Its error is a [UsageError], with file:line for a file.
func LoadLayout(nameOrFile string) (*layout.Layout, error) {
	if nameOrFile == OwnLayout {
		return nil, nil
	}
	if slices.Contains(Layouts(), strings.ReplaceAll(nameOrFile, "_", "-")) {
		text, _ := LayoutText(nameOrFile)
		return parseLayout(layoutFile(nameOrFile), text)
	}
	text, err := files.Read(nameOrFile, maxFile)
	const legal = "a file that 'lab show layout' was copied to, or pahole's output"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usagef("--layout %s: no such layout, and no such file; legal: %s, or %s%s",
			nameOrFile, strings.Join(Layouts(), ", "), legal, closest.Hint(nameOrFile, Layouts()))
	case err != nil:
		return nil, Usagef("--layout %s: %w; legal: %s, or %s", nameOrFile, err, strings.Join(Layouts(), ", "), legal)
	}
	return parseLayout(nameOrFile, text)
}

// parseLayout is LoadLayout of a text.
func parseLayout(file string, text []byte) (*layout.Layout, error) {
	if notText(text) == "" && layout.IsPahole(text) {
		l, err := layout.ParsePahole(text)
		var wrong *layout.ParseError
		if errors.As(err, &wrong) {
			d := document{file: file}
			return nil, ErrorAt(d.line(wrong.Line), "layout", "%s", wrong.Text)
		}
		return l, err
	}
	d := decode(file, text, layoutKeys)
	if err := d.err(); err != nil {
		return nil, err
	}
	root := d.root()
	l := &layout.Layout{Name: root.text("name", ""), Title: root.text("title", "")}
	tables := root.tables("line")
	switch {
	case len(tables) == 0:
		d.fault("", "no [[line]] in this layout; legal: each with its fields, such as fields = [\"scsi_device.device_busy\"]")
	case len(tables) > maxLines:
		d.fault("line", "%d lines; legal: up to %d", len(tables), maxLines)
		tables = nil
	}
	for i, t := range tables {
		l.Lines = append(l.Lines, layout.Line{
			Name: t.text("name", ""), Fields: t.texts("fields"), Strategy: t.text("strategy", ""), Source: t.text("source", ""),
		})
		if len(d.faults) > 0 {
			continue
		}
		if why := l.Check(i); why != "" {
			t.fault("fields", "%s", why)
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return l, nil
}

// LayoutFileText writes a layout as a file that [LoadLayout] reads, with remarks
// above.
func LayoutFileText(l *layout.Layout, remarks ...string) []byte {
	var b bytes.Buffer
	for _, r := range remarks {
		fmt.Fprintln(&b, "#", r)
	}
	fmt.Fprintf(&b, "\nname  = %q\ntitle = %q\n", l.Name, l.Title)
	for _, line := range l.Lines {
		fmt.Fprintf(&b, "\n[[line]]\n")
		if line.Name != "" {
			fmt.Fprintf(&b, "name     = %q\n", line.Name)
		}
		if line.Strategy != "" {
			fmt.Fprintf(&b, "strategy = %q\n", line.Strategy)
		}
		quoted := make([]string, len(line.Fields))
		for i, f := range line.Fields {
			quoted[i] = fmt.Sprintf("%q", f)
		}
		fmt.Fprintf(&b, "fields   = [%s]\n", strings.Join(quoted, ", "))
		if line.Source != "" {
			fmt.Fprintf(&b, "source   = %q\n", line.Source)
		}
	}
	return b.Bytes()
}
