package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"hostlock/dispatch"
)

// The committed rates are those of the shipped strategies, the highest of them:
// none stalls more, by more than chance.
func TestStallRatesAreThoseOfTheShipped(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	for _, s := range dispatch.Strategies() {
		r, err := Run(context.Background(), Config{Strategy: s.Name, Seed: 11, Schedules: n, AsFound: true})
		require.NoError(t, err)
		require.Nil(t, r.Finding)
		for name, got := range r.stalls {
			if testing.Verbose() {
				t.Logf("%s %s %d/%d = %.4f", s.Name, name, got.stalled, got.late, float64(got.stalled)/float64(got.late))
			}
			if got.stalled == 0 {
				continue
			}
			rate := distuv.Binomial{N: float64(got.late), P: max(stallRates[name], 1e-4)}
			assert.Greater(t, rate.Survival(float64(got.stalled)-1), 1e-6, "%s, %s: %d of %d", s.Name, name, got.stalled, got.late)
		}
	}
}

// A rate is a finding where it is well above what is known, and chance is ruled
// out; a few stalls more, or many of few schedules, are none.
func TestTooManyStalls(t *testing.T) {
	for _, c := range []struct {
		stalled, late int
		want          bool
	}{{0, 1000, false}, {40, 1000, false}, {764, 2051, true}, {3, 4, false}, {200, 1000, true}} {
		_, why := tooMany(map[string]*stalls{"plain": {late: c.late, stalled: c.stalled}})
		assert.Equal(t, c.want, why != "", "%d of %d", c.stalled, c.late)
	}
}
