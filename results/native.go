package results

import "io"

// writeNative prints what the workload's own program would print.
func writeNative(w io.Writer, r *Result) error {
	if len(r.Native) == 0 {
		_, err := io.WriteString(w, "the workload's own program prints nothing\n")
		return err
	}
	_, err := w.Write(r.Native)
	return err
}
