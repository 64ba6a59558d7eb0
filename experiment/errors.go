package experiment

import "fmt"

// UsageError is a request that cannot be met as it was made: an unknown name,
// a value out of range, a file that is wrong. Its text is one line that names
// what is legal. The command ends with status 2 and has written nothing.
type UsageError struct {
	Text string
	Err  error // the cause, where there is one
}

func (e *UsageError) Error() string { return e.Text }

// Unwrap is the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef makes a [UsageError]; a %w in the format gives its cause.
func Usagef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	u := &UsageError{Text: err.Error()}
	if w, ok := err.(interface{ Unwrap() error }); ok {
		u.Err = w.Unwrap()
	}
	return u
}
