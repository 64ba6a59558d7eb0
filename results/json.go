package results

import (
	"bytes"
	"encoding/json"
	"io"
)

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
