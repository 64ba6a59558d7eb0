package experiment

import (
	"context"
	"errors"

	"hostlock/results"
)

// Run runs an experiment and returns what it found.
//
// Its error is a [UsageError] where the request was wrong. Where ctx was
// cancelled it wraps the context's error, and the result, marked partial,
// holds what was measured until then.
func Run(ctx context.Context, spec *Spec, opts Options) (*results.Result, error) {
	return nil, errors.New("running experiments is not wired up yet")
}
