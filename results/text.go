package results

import "io"

func writeText(w io.Writer, r *Result) error { return printText(w, reportOf(r)) }

func writeMarkdown(w io.Writer, r *Result) error { return printMarkdown(w, reportOf(r)) }

func writeTextReproductions(w io.Writer, reps []Reproduction) error {
	return printText(w, reproductionSections(reps))
}

func writeMarkdownReproductions(w io.Writer, reps []Reproduction) error {
	return printMarkdown(w, reproductionSections(reps))
}
