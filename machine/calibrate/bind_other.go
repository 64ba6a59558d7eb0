//go:build !linux

package calibrate

import "errors"

// bind is not possible on this system.
func bind(int) (func() error, error) {
	return nil, errors.New("threads cannot be bound to processors on this system")
}

// usable is unknown on this system.
func usable() []int { return nil }
