package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
)

// withLayout runs a strategy under a layout, "" being none.
func withLayout(t *testing.T, strategy, layout string) *results.Result {
	t.Helper()
	o := small()
	o.Strategy = strategy
	if layout != "" {
		o.Set = append(o.Set, param.Setting{Name: experiment.LayoutSetting, Value: layout, At: param.SetFlag})
	}
	r, err := do(context.Background(), headline(t), o)
	require.NoError(t, err)
	return r
}

func layoutFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "layout.toml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// figures is a result without what says how it was asked for.
func figures(t *testing.T, r *results.Result) string {
	t.Helper()
	c := *r
	c.Parameters, c.Warnings, c.Published = nil, nil, nil
	var b bytes.Buffer
	require.NoError(t, json.NewEncoder(&b).Encode(&c))
	return b.String()
}

// The layout that is shown as the default is the default: a copy of it moves
// nothing.
func TestACopyOfTheDefaultLayoutMovesNothing(t *testing.T) {
	text, err := experiment.LayoutText("own")
	require.NoError(t, err)
	file := layoutFile(t, string(text))
	for _, strategy := range []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"} {
		want := figures(t, withLayout(t, strategy, ""))
		assert.True(t, want == figures(t, withLayout(t, strategy, "own")), strategy)
		assert.True(t, want == figures(t, withLayout(t, strategy, file)), strategy)
	}
}

func lineOf(r *results.Result, field string) (results.Line, bool) {
	for _, l := range r.Lines {
		for _, f := range l.Fields {
			if f == field {
				return l, true
			}
		}
	}
	return results.Line{}, false
}

// Whether device_busy shares its line with what every section reads is a question
// with an answer.
func TestALayoutMovesWhatItNames(t *testing.T) {
	const busy = "scsi_device.device_busy"
	alone := withLayout(t, "host-lock", layoutFile(t, "[[line]]\nname = \"alone\"\nfields = [\""+busy+"\"]\n"))
	shared := withLayout(t, "host-lock", "linux-5.10")
	if l, ok := lineOf(alone, busy); ok {
		assert.Equal(t, []string{busy}, l.Fields)
	}
	hot, ok := lineOf(shared, busy)
	require.True(t, ok, "%+v", shared.Lines)
	assert.Equal(t, "scsi_device[0]", hot.Name)
	assert.Contains(t, hot.Fields, "scsi_device.host")
	assert.False(t, figures(t, alone) == figures(t, shared))
}

// The host lock's word may lie with what it protects.
func TestALockMayShareItsLine(t *testing.T) {
	r := withLayout(t, "host-lock", "linux-2.6.35")
	require.NotEmpty(t, r.Lines)
	assert.Positive(t, r.CPU.HostLock)
	assert.False(t, figures(t, withLayout(t, "host-lock", "")) == figures(t, r))
}

func TestTheHottestLinesAreInOrder(t *testing.T) {
	r := withLayout(t, "host-lock", "")
	require.Len(t, r.Lines, results.HottestLines)
	for i, l := range r.Lines {
		assert.Positive(t, l.Transfers)
		assert.NotEmpty(t, l.Fields)
		if i > 0 {
			assert.LessOrEqual(t, l.Busy, r.Lines[i-1].Busy)
		}
	}
}

func TestALayoutInVainIsNamed(t *testing.T) {
	r := withLayout(t, "ring", layoutFile(t, "[[line]]\nfields = [\"scsi_device.list_lock\"]\n"))
	assert.True(t, said(r, "layout", "changes nothing here"), "%q", r.Warnings)
}

func TestLiveHasNoLayout(t *testing.T) {
	for _, name := range []string{experiment.LayoutSetting, experiment.CostsSetting} {
		o := small()
		o.Machine = "live"
		o.Set = []param.Setting{{Name: name, Value: "x", At: param.Place{Flag: "--" + name}}}
		_, err := experiment.NewPlan(headline(t), o)
		assert.ErrorContains(t, err, "--machine sim")
	}
}
