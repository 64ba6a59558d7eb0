package results

import (
	"fmt"
	"io"
)

func writeText(w io.Writer, r *Result) error { return printText(w, reportOf(r)) }

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
