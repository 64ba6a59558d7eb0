package spec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine/param"
)

func TestScaledLoadOfTheHeadline(t *testing.T) {
	s, err := Load("chen-2010")
	require.NoError(t, err)
	for _, c := range []struct {
		factor float64
		want   LoadSize
	}{
		{1, LoadSize{Factor: 1, Threads: 128, HBAs: 1, LUNsPerHBA: 16, PerHBA: 1}},
		{4, LoadSize{Factor: 4, Threads: 512, HBAs: 4, LUNsPerHBA: 16, PerHBA: 1}},
		{16, LoadSize{Factor: 16, Threads: 2048, HBAs: 16, LUNsPerHBA: 16, PerHBA: 1}},
		{0.5, LoadSize{Factor: 0.5, Threads: 64, HBAs: 1, LUNsPerHBA: 8, PerHBA: 0.5}},
		{1.5, LoadSize{Factor: 1.5, Threads: 192, HBAs: 2, LUNsPerHBA: 12, PerHBA: 0.75}},
		{1.0 / 64, LoadSize{Factor: 1.0 / 64, Threads: 2, HBAs: 1, LUNsPerHBA: 1, PerHBA: 1.0 / 64}},
	} {
		got, err := s.SizedLoad(c.factor, 0)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
}

func TestScaleOutOfRange(t *testing.T) {
	s := &Spec{Cores: 1, HBAs: 1, LUNsPerHBA: 1}
	for _, f := range []float64{0, -1, math.NaN(), math.Inf(1), maxScale + 1} {
		_, err := s.SizedLoad(f, 0)
		var usage *UsageError
		assert.ErrorAs(t, err, &usage, "%v", f)
	}
}

// Whatever the scale, the load stays in proportion but for whole devices, and
// never vanishes.
func TestScaledLoadStaysInProportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Spec{Cores: 64, Threads: rapid.IntRange(1, 512).Draw(t, "threads"),
			HBAs: rapid.IntRange(1, 8).Draw(t, "hbas"), LUNsPerHBA: rapid.IntRange(1, 64).Draw(t, "luns")}
		f := rapid.Float64Range(0.01, 64).Draw(t, "factor")
		l, err := s.SizedLoad(f, 0)
		if err != nil {
			t.Fatal(err)
		}
		if l.Threads < 1 || l.HBAs < 1 || l.LUNsPerHBA < 1 || !(l.PerHBA > 0) {
			t.Fatalf("vanished: %+v", l)
		}
		if d := math.Abs(float64(l.Threads) - f*float64(s.Threads)); d > 1 {
			t.Fatalf("%d threads at %v of %d", l.Threads, f, s.Threads)
		}
		if d := float64(l.HBAs) - f*float64(s.HBAs); d < -1e-6 || d > 1 {
			t.Fatalf("%d HBAs at %v of %d", l.HBAs, f, s.HBAs)
		}
		if total := l.PerHBA * float64(l.HBAs); math.Abs(total-f*float64(s.HBAs)) > 1e-6*total {
			t.Fatalf("limits add up to %v, not %v", total, f*float64(s.HBAs))
		}
	})
}

func TestLoadOnAGivenNumberOfHBAs(t *testing.T) {
	s, err := Load("chen-2010")
	require.NoError(t, err)
	got, err := s.SizedLoad(4, 1)
	require.NoError(t, err)
	assert.Equal(t, LoadSize{Factor: 4, Threads: 512, HBAs: 1, LUNsPerHBA: 64, PerHBA: 4}, got)
	setting := func(name, value string) []param.Setting { return []param.Setting{{Name: name, Value: value}} }
	for _, bad := range []string{"0", "-1", "x", "1.5", "5000"} {
		_, _, err := LoadSettings(setting("hbas", bad))
		var usage *UsageError
		require.ErrorAs(t, err, &usage, bad)
		assert.Equal(t, "hbas", usage.Parameter)
	}
	scale, hbas, err := LoadSettings(append(setting("hbas", "2"), setting("a.x", "1")...))
	require.NoError(t, err)
	assert.Zero(t, scale)
	assert.Equal(t, 2, hbas)
}
