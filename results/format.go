package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Formatter prints results in one format.
type Formatter struct {
	Name  string
	About string // one line
	// Notes reports whether a result's warnings are part of what is printed.
	Notes bool
	// Result prints one run.
	Result func(io.Writer, *Result) error
	// Reproductions prints published tables beside what was measured; nil
	// where the format has no place for them.
	Reproductions func(io.Writer, []Reproduction) error
}

var formatters = []Formatter{
	{Name: "text", About: "tables for people", Notes: true, Result: writeText, Reproductions: writeTextReproductions},
	{Name: "json", About: "one object, its members never renamed", Notes: true, Result: writeJSON, Reproductions: writeJSONReproductions},
	{Name: "csv", About: "one figure a line, with its unit and how it was obtained", Notes: true, Result: writeCSV, Reproductions: writeCSVReproductions},
	{Name: "markdown", About: "the tables of text, for a page", Notes: true, Result: writeMarkdown, Reproductions: writeMarkdownReproductions},
	{Name: "lockstat", About: "locks in the layout of /proc/lock_stat, version 0.4", Result: writeLockStat},
	{Name: "gobench", About: "a line in Go's benchmark format, for benchstat and lab compare", Result: writeGoBench},
	{Name: "native", About: "as the workload's own program prints its results", Result: writeNative},
}

// RegisterFormat adds a format, or panics where its name is taken.
func RegisterFormat(f Formatter) {
	if _, err := Format(f.Name); err == nil {
		panic("results: format " + f.Name + " registered twice")
	}
	formatters = append(formatters, f)
}

// Formats lists all formats, text first.
func Formats() []Formatter { return append([]Formatter(nil), formatters...) }

// Format finds a format by its name; its error names them all.
func Format(name string) (Formatter, error) {
	names := make([]string, 0, len(formatters))
	for _, f := range formatters {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Formatter{}, fmt.Errorf("unknown format %q; legal: %s", name, strings.Join(names, ", "))
}

// ReproductionFormat finds a format that has a place for published tables.
func ReproductionFormat(name string) (Formatter, error) {
	f, err := Format(name)
	if err == nil && f.Reproductions != nil {
		return f, nil
	}
	var names []string
	for _, f := range formatters {
		if f.Reproductions != nil {
			names = append(names, f.Name)
		}
	}
	if err == nil {
		return f, fmt.Errorf("format %q has no place for a published table; legal: %s", name, strings.Join(names, ", "))
	}
	return f, fmt.Errorf("unknown format %q; legal: %s", name, strings.Join(names, ", "))
}

func writeText(w io.Writer, r *Result) error { return WriteReport(w, r, View{}) }

func writeMarkdown(w io.Writer, r *Result) error { return printMarkdown(w, reportOf(r)) }

func writeTextReproductions(w io.Writer, reps []Reproduction) error {
	return printText(w, reproductionSections(reps))
}

func writeMarkdownReproductions(w io.Writer, reps []Reproduction) error {
	return printMarkdown(w, reproductionSections(reps))
}

// Count is a number of things in words: "1 core", "2 cores".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeJSON prints one object, whole or not at all.
func writeJSON(w io.Writer, r *Result) error { return encode(w, r.rounded()) }

// writeJSONReproductions prints an array.
func writeJSONReproductions(w io.Writer, reps []Reproduction) error {
	out := make([]Reproduction, len(reps))
	for i, rep := range reps {
		out[i] = rep.rounded()
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeNative prints what the workload's own program would print.
func writeNative(w io.Writer, r *Result) error {
	if len(r.Native) == 0 {
		_, err := io.WriteString(w, "the workload's own program prints nothing\n")
		return err
	}
	_, err := w.Write(r.Native)
	return err
}
