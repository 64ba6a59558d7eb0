package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// PlainJSON words a decoder's error without the names of our own types.
func PlainJSON(text []byte, err error) string {
	line := func(offset int64) int {
		return 1 + bytes.Count(text[:min(max(offset-1, 0), int64(len(text)))], []byte("\n"))
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return "the file is empty"
	case errors.As(err, &syntax):
		return fmt.Sprintf("line %d: %v", line(syntax.Offset), syntax)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("line %d: %s is a JSON %s", line(kind.Offset), kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("line %d: a JSON %s", line(kind.Offset), kind.Value)
	}
	return err.Error()
}
