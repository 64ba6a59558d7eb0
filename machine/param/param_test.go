package param

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func set() *Set {
	s := New()
	s.Declare(
		Spec{Name: "a.time", Default: "1.5us", Max: 1e9},
		Spec{Name: "a.free", Default: "1us"},
		Spec{Name: "a.count", Kind: Int, Default: "4", Min: 1, Max: 10},
		Spec{Name: "a.many", Kind: Int, Default: "4", Min: 1, Max: 1 << 20},
		Spec{Name: "a.ratio", Kind: Float, Default: "0.3"},
		Spec{Name: "a.on", Kind: Bool, Default: "false"},
		Spec{Name: "a.size", Kind: Bytes, Default: "4k"},
		Spec{Name: "b.kind", Kind: Choice, Default: "x", Choices: []string{"x", "y"}},
	)
	return s
}

func TestValues(t *testing.T) {
	s := set()
	require.Equal(t, "1.5µs", s.Duration("a.time").String())
	require.Equal(t, 4, s.Int("a.count"))
	require.Equal(t, 0.3, s.Float("a.ratio"))
	require.False(t, s.Bool("a.on"))
	require.Equal(t, int64(4096), s.Bytes("a.size"))
	require.Equal(t, "x", s.Choice("b.kind"))
	require.NoError(t, s.Set("a.size", "1MiB"))
	require.Equal(t, int64(1<<20), s.Bytes("a.size"))

	c := s.Clone()
	require.NoError(t, c.Set("a.count", "9"))
	require.Equal(t, 4, s.Int("a.count"))
	require.Len(t, s.Filter(func(n string) bool { return n[0] == 'b' }).Values(), 1)
	require.Panics(t, func() { s.Int("a.time") })
	require.Panics(t, func() { s.Declare(Spec{Name: "a.time", Default: "1s"}) })
}

func TestWrongValues(t *testing.T) {
	for _, c := range [][3]string{
		{"a.time", "5", "ns, us, ms"}, {"a.time", "-1us", "legal: 0s to 1s"}, {"a.time", "2s", "legal: 0s to 1s"}, {"a.time", "NaNs", "ns, us, ms"},
		{"a.count", "0", "1 to 10"}, {"a.count", "1.5", "whole number"}, {"a.many", "0", "1 to 1048576"}, {"a.ratio", "-1", "0 or more"}, {"a.ratio", "inf", "number"},
		{"a.on", "yes", "true, false"}, {"a.size", "1.5k", "whole number of bytes"}, {"a.size", "-4k", "whole number of bytes"},
		{"a.free", "25h", "legal: up to 24h"}, {"a.free", "1e300us", "legal: up to 24h"}, {"a.size", "1099511627775g", "legal: up to"}, {"a.ratio", "x", "legal: a finite one"},
		{"b.kind", "z", "x, y"}, {"a.tine", "1us", "legal: a.time"},
	} {
		err := set().Set(c[0], c[1])
		require.ErrorContains(t, err, c[2], "%s=%s", c[0], c[1])
		require.ErrorContains(t, err, c[0])
	}
}

// What was printed is read back as the same value.
func TestDurationsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := float64(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "ns"))
		s := New()
		s.Declare(Spec{Name: "x", Default: "0"})
		require.NoError(t, s.Set("x", s.Duration("x").String()))
		require.NoError(t, s.Set("x", time.Duration(ns).String()))
		require.InDelta(t, ns, s.Values()[0].Num, 1)
	})
}

// Whoever leaves out what a parameter belongs to means the first that is called
// so: the one of the run's own driver.
func TestTheEndOfANameIsSuggestedFirst(t *testing.T) {
	s := New()
	for _, name := range []string{"tim.other", "z.time", "a.time", "time.a", "time.b", "time.c", "time.d", "time.e", "time.f"} {
		s.Declare(Spec{Name: name, Default: "1us"})
	}
	require.EqualError(t, s.Set("time", "1us"), `unknown parameter "time"; legal: z.time, a.time, time.a, time.b, time.c, time.d, time.e, time.f, and 1 more (lab list parameters)`)
}
