package results

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCompareLeavesOutOtherCases(t *testing.T) {
	c := hostLock.Compare("after", after(), nil)
	require.NotNil(t, c)
	assert.Len(t, c.Rows, 6)
	assert.True(t, c.OK)
	assert.Nil(t, hostLock.Compare("ring", after(), nil))
}

func TestReproduceNeedsEveryCase(t *testing.T) {
	_, err := hostLock.Reproduce(map[string]*Result{"before": fixture()}, nil)
	assert.EqualError(t, err, "chen-2010: no run of case after")
}

func TestReproduceRefusesAGainOverNothing(t *testing.T) {
	dead := fixture()
	dead.IOPS = 0
	_, err := hostLock.Reproduce(map[string]*Result{"before": dead, "after": after()}, nil)
	assert.ErrorContains(t, err, "after.iops_gain_points")
}

func TestARowThatFollowsFromFittedOnesIsNoPrediction(t *testing.T) {
	rep, err := hostLock.Reproduce(map[string]*Result{"before": fixture(), "after": after()}, []string{"before.iops", "after.iops"})
	require.NoError(t, err)
	used := map[string]bool{}
	for _, r := range rep.Rows {
		if r.UsedToFit {
			used[r.Name] = true
		}
	}
	assert.Equal(t, map[string]bool{"before.iops": true, "after.iops": true, "after.iops_gain_points": true}, used)
}

func TestReproductionNamesTheFittedParameters(t *testing.T) {
	rep := reproduction(t)[0]
	assert.Equal(t, []string{"mptsas.queuecommand"}, rep.Fitted)
	assert.Len(t, rep.Parameters, len(fixture().Parameters), "a parameter of both cases is listed once")
}

func TestVerdictCountsWhatWasPredicted(t *testing.T) {
	rows := []Row{
		{Name: "a", Published: 10, Measured: 10.5, Band: 1, UsedToFit: true},
		{Name: "b", Published: 10, Measured: 9, Band: 1},
	}
	assert.Equal(t, "Reproduced: 2 of 2 rows within their bands; of the 1 that no fitted value was chosen by, 1.", Verdict(rows))
	rows[1].Measured = 8.9
	assert.Equal(t, "Not reproduced: 1 of 2 rows within their bands; of the 1 that no fitted value was chosen by, 0. Missed: b (published 10.00, here 8.90).", Verdict(rows))
}

func TestErrorOfNothingIsTheDifference(t *testing.T) {
	assert.Equal(t, 0.25, errorPct(0, 0.25))
	assert.InDelta(t, -50.0, errorPct(2, 1), 1e-12)
}

// A comparison does not care for the unit: scaling both sides and a relative
// band alike changes neither the error nor the verdict.
func TestComparisonIsSymmetricInScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(1e-3, 1e6).Draw(t, "published")
		measured := value * rapid.Float64Range(0.1, 3).Draw(t, "ratio")
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "scale")) // exact
		band := Band{Rel: rapid.Float64Range(0.1, 50).Draw(t, "band")}
		a := Figure{Case: "c", Metric: "iops", Value: value, Band: band}.beside(measured, nil)
		b := Figure{Case: "c", Metric: "iops", Value: value * scale, Band: band}.beside(measured*scale, nil)
		if math.Abs(a.ErrorPct-b.ErrorPct) > 1e-9*math.Abs(a.ErrorPct) || a.Within() != b.Within() {
			t.Fatalf("%+v and %+v differ", a, b)
		}
	})
}

// The band is symmetric: as far above is as good as below, and its own edge
// is inside.
func TestBandIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(1, 1e6).Draw(t, "published")
		width := rapid.Float64Range(0.01, 0.5).Draw(t, "width") * value
		share := rapid.Float64Range(0, 2).Draw(t, "share")
		above := Row{Published: value, Measured: value + share*width, Band: width}
		below := Row{Published: value, Measured: value - share*width, Band: width}
		if math.Abs(share-1) > 1e-6 && (above.Within() != below.Within() || above.Within() != (share < 1)) {
			t.Fatalf("%v of the band: above %v, below %v", share, above.Within(), below.Within())
		}
		if edge := (Row{Published: value, Measured: value + width, Band: width}); !edge.Within() {
			t.Fatalf("the edge is outside: %+v", edge)
		}
	})
}

// A gain and the loss back undo each other.
func TestGainUndoesLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &Result{IOPS: rapid.Float64Range(1, 1e6).Draw(t, "a")}
		b := &Result{IOPS: rapid.Float64Range(1, 1e6).Draw(t, "b")}
		there, err := b.Gain(a, "iops")
		if err != nil {
			t.Fatal(err)
		}
		back, err := a.Gain(b, "iops")
		if err != nil {
			t.Fatal(err)
		}
		if p := (1 + there/100) * (1 + back/100); math.Abs(p-1) > 1e-9 {
			t.Fatalf("%v and %v make %v", there, back, p)
		}
	})
}

func TestEqualSharesKnowThePublishedSum(t *testing.T) {
	naive := hostLock.EqualShares(reproduction(t)[0].Rows)
	require.Len(t, naive, 8)
	assert.InDelta(t, 23.7/4, naive[0].Equal, 1e-12)
	assert.InDelta(t, 1.8/4, naive[7].Equal, 1e-12)
	assert.Equal(t, "neither", naive[7].Nearer, "0.45 is what the guess says, too")
	assert.Equal(t, "Equal shares of the published sums meet the same bands in 8 of the 8 rows by function, 8 of the 8 predicted ones.", NaiveInBands(naive))
	naive[0].InBand = false
	naive[7].Predicted = false
	assert.Equal(t, "Equal shares of the published sums meet the same bands in 7 of the 8 rows by function, 6 of the 7 predicted ones.", NaiveInBands(naive))
	assert.Empty(t, NaiveInBands(nil))
	assert.Empty(t, transferSize.EqualShares(nil))
	assert.Contains(t, NaiveVerdict(naive), "nothing is claimed")
	assert.Contains(t, NaiveVerdict(naive[5:7]), "nothing is claimed", "one of two is not most of them")
	assert.Contains(t, NaiveVerdict([]Naive{{Nearer: "ours"}}), "only those are claimed")
}

// A difference that another seed could undo is none.
func TestNearerNeedsMoreThanSeedsScatter(t *testing.T) {
	near := func(measured float64) string {
		return hostLock.EqualShares([]Row{{Name: "before.scsi_run_queue_pct", Published: 5.5, Measured: measured}})[0].Nearer
	}
	assert.Equal(t, "ours", near(5.7))
	assert.Equal(t, "neither", near(5.93), "0.005 nearer or farther than 5.925 is nothing")
	assert.Equal(t, "neither", near(5.8), "0.125 nearer, where seeds lie 0.15 apart")
	assert.Equal(t, "equal", near(6.1))
}
