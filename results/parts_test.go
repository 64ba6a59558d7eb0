package results

import (
	"encoding/json"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine/param"
)

func TestOrderedKeepsItsOrder(t *testing.T) {
	var o Counts
	o.Set("z", 1)
	o.Set("a", 2)
	o.Set("z", 3)
	b, err := json.Marshal(o)
	require.NoError(t, err)
	assert.Equal(t, `{"z":3,"a":2}`, string(b))
	var back Counts
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, o, back)
	for _, bad := range []string{`[1]`, `{"a":"x"}`, `3`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &back), bad)
	}
	require.NoError(t, json.Unmarshal([]byte("null"), &back))
	assert.Empty(t, back)
}

func TestLatencyOf(t *testing.T) {
	assert.Equal(t, Latency{}, LatencyOf(nil))
	h := hdrhistogram.New(1, 1e10, 4)
	for n := int64(1); n <= 1000; n++ {
		require.NoError(t, h.RecordValue(n*1000))
	}
	l := LatencyOf(h)
	assert.InDelta(t, 500.5, l.Mean, 0.1)
	assert.InDelta(t, 500, l.P50, 0.1)
	assert.InDelta(t, 999, l.P999, 0.1)
	assert.InDelta(t, 1000, l.Max, 0.1)
}

func TestFairnessOf(t *testing.T) {
	assert.Equal(t, Fairness{}, FairnessOf(nil, 1))
	assert.Equal(t, Fairness{}, FairnessOf([]int64{1}, 0))
	assert.Equal(t, Fairness{Min: 5, Max: 5}, FairnessOf([]int64{10}, 2))
	f := FairnessOf([]int64{0, 20}, 2)
	assert.Equal(t, Fairness{Min: 0, Max: 10, Stddev: 100}, f)
}

func TestParametersOf(t *testing.T) {
	set := param.New()
	set.Declare(
		param.Spec{Name: "a.d", Kind: param.Duration, Default: "1.5us", Source: "x"},
		param.Spec{Name: "a.n", Kind: param.Int, Default: "7", Unit: "commands"},
		param.Spec{Name: "a.f", Kind: param.Float, Default: "0.3"},
		param.Spec{Name: "a.b", Kind: param.Bool, Default: "true"},
		param.Spec{Name: "a.s", Kind: param.Bytes, Default: "4k"},
		param.Spec{Name: "a.c", Kind: param.Choice, Default: "x", Choices: []string{"x", "y"}},
	)
	require.NoError(t, set.Apply(param.Setting{Name: "a.f", Value: "0.3", Fitted: true, Source: "by hand"}))
	ps := ParametersOf(set)
	require.Len(t, ps, 6)
	assert.Equal(t, Parameter{Name: "a.d", Value: 1500.0, Unit: "ns", Source: "x"}, ps[0])
	assert.Equal(t, Parameter{Name: "a.f", Value: 0.3, Source: "by hand", Fitted: true}, ps[2])
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.Text()
	}
	assert.Equal(t, []string{"1.5µs", "7 commands", "0.3", "true", "4 KiB", "x"}, texts)
	assert.Equal(t, "1000 bytes", size(1000))
	assert.Equal(t, "0 bytes", size(0))
	assert.Equal(t, []string{"a.f"}, Fitted(ps))
	assert.Equal(t, []string{}, Fitted(nil))
}

func TestNumbersForPeople(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 0.444: "0.44", -5.5: "-5.50", 23.712: "23.71", 99.999: "100.0", 255.37: "255.4", 62345.6: "62346"} {
		assert.Equal(t, want, number(v))
	}
	assert.Equal(t, "+0.00", signed(0))
	assert.Equal(t, "0.44", exact(0.44))
	assert.Equal(t, 0.0, round(-1e-9, 4))
	assert.False(t, 1/round(-1e-9, 4) < 0, "minus zero")
	assert.Equal(t, "123.46ms", nanos(123456789))
	assert.Equal(t, "500ms", seconds(0.5))
	assert.Equal(t, "1s", seconds(0.999999999))
}
