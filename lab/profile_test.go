package lab

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"hostlock/results"
)

// An interrupted profile shows what it has, and ends as any interrupted run.
func TestProfileInterrupted(t *testing.T) {
	f := &fake{alter: func(r *results.Result) error {
		r.Partial = true
		return context.Canceled
	}}
	dir := t.TempDir()
	o := try(f.run, "profile", "--no-live", "--profiles", dir, "--results", dir)
	assert.Equal(t, exitInterrupted, o.status)
	assert.Len(t, f.asked, 1)
	assert.Contains(t, o.stdout, "all strategies, the same load")
	assert.Contains(t, o.stderr, "lab: interrupted; the result is partial\n")
}
