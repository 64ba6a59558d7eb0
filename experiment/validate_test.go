package experiment

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAssignments(t *testing.T) {
	list, scale, err := Assignments([]string{"a.x=1", "scale=0.5", "b.y = 2us ", "a.x=3", "c.z=a=b", "a.x=4"})
	require.NoError(t, err)
	assert.Equal(t, 0.5, scale)
	assert.Equal(t, []Assignment{{"b.y", "2us"}, {"c.z", "a=b"}, {"a.x", "4"}}, list)
	for _, bad := range []string{"", "x", "=1", "x=", "scale=0", "scale=-1", "scale=x", "scale=NaN", "scale=Inf", "scale=5000"} {
		_, _, err := Assignments([]string{bad})
		var usage *UsageError
		require.ErrorAs(t, err, &usage, bad)
		assert.ErrorContains(t, err, "legal: ", bad)
	}
}

func TestOptionsValidate(t *testing.T) {
	have := runtime.GOMAXPROCS(0)
	for _, good := range []Options{{}, {Machine: "live", Cores: have}, {Machine: "sim", Cores: 1024, Weak: true}, {Set: []string{"a=b"}}} {
		assert.NoError(t, good.Validate(), "%+v", good)
	}
	for _, bad := range []Options{
		{Machine: "gpu"}, {Machine: "live", Cores: have + 1}, {Cores: -1}, {Cores: MaxCores + 1}, {Threads: -1}, {Threads: MaxThreads + 1},
		{Duration: -1}, {Duration: 25 * time.Hour}, {Duration: 1, ProfileDuration: true}, {Weak: true, Set: []string{"scale=2"}}, {Set: []string{"x"}},
	} {
		err := bad.Validate()
		var usage *UsageError
		require.ErrorAs(t, err, &usage, "%+v", bad)
		assert.ErrorContains(t, err, "legal: ")
	}
}
