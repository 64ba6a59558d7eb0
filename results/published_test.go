package results

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPublishedSumsFollowFromTheirParts(t *testing.T) {
	for _, p := range published {
		sums := map[string]float64{}
		for _, f := range p.Figures {
			if f.PartOf != "" {
				sums[f.PartOf] += f.Value
			}
		}
		for row, sum := range sums {
			f, ok := p.Figure(row)
			require.True(t, ok, "%s: part of %s, which is no row", p.Name, row)
			assert.InDelta(t, f.Value, sum, 1e-9, "%s: %s", p.Name, row)
			assert.NotEmpty(t, f.Follows, "a sum follows from its parts")
		}
	}
}

func TestPublishedGainFollowsFromTheRates(t *testing.T) {
	for _, p := range published {
		for _, f := range p.Figures {
			if len(f.Follows) == 0 || f.Against == "" {
				continue
			}
			metric := strings.TrimSuffix(f.Metric, gainSuffix)
			now, ok := p.Figure(f.Case + "." + metric)
			require.True(t, ok)
			was, ok := p.Figure(f.Against + "." + metric)
			require.True(t, ok)
			// The source rounds to a tenth, and the rates to three digits.
			assert.InDelta(t, f.Value, 100*(now.Value/was.Value-1), 0.1, f.Row())
		}
	}
}

func TestPublishedTablesAreWhole(t *testing.T) {
	counts := map[string]int{"chen-2010": 13, "transfer-size": 8, "max-sge": 6, "cmd-per-lun": 3}
	require.Len(t, published, len(counts))
	sources := map[string]bool{}
	for _, p := range published {
		t.Run(p.Name, func(t *testing.T) {
			assert.Len(t, p.Figures, counts[p.Name])
			for _, s := range []string{p.Title, p.Author, p.Date, p.List, p.Kernel, p.Test, p.Change} {
				assert.NotEmpty(t, s)
			}
			assert.NotEmpty(t, p.NotGiven)
			assert.NotEmpty(t, p.Conflicts)
			assert.False(t, sources[p.Source()], "two tables have one source line")
			sources[p.Source()] = true
			names := p.RowNames()
			slices.Sort(names)
			assert.Equal(t, len(names), len(slices.Compact(names)), "a row twice")
			for _, f := range p.Figures {
				assert.Positive(t, f.Band.Width(f.Value), "%s has no band", f.Row())
				assert.True(t, f.Band.Abs == 0 || f.Band.Rel == 0, "%s has two bands", f.Row())
				assert.NotEmpty(t, f.Label)
				_, ok := fixture().Metric(strings.TrimSuffix(f.Metric, gainSuffix))
				assert.True(t, ok, "%s is no figure of a result", f.Metric)
				assert.Equal(t, f.Against != "", strings.HasSuffix(f.Metric, gainSuffix), f.Row())
				for _, row := range f.Follows {
					_, ok := p.Figure(row)
					assert.True(t, ok, "%s follows from %s, which is no row", f.Row(), row)
				}
			}
			q, err := LookupPublished(p.Name)
			require.NoError(t, err)
			assert.Same(t, p, q)
		})
	}
}

func TestHeadlineHasTenIndependentFigures(t *testing.T) {
	assert.Equal(t, 10, hostLock.Independent())
	assert.Equal(t, []string{"before", "after"}, hostLock.Cases())
}

func TestUnknownPublishedNamesTheLegalOnes(t *testing.T) {
	_, err := LookupPublished("ring")
	assert.EqualError(t, err, `unknown published table "ring"; legal: chen-2010, transfer-size, max-sge, cmd-per-lun`)
}
