package closest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestHint(t *testing.T) {
	names := []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"}
	for word, want := range map[string]string{
		"rign": "; did you mean ring?", "hostlock": "; did you mean host-lock?", "perqueue": "; did you mean per-queue?",
		"unlocked_qcmd": "; did you mean unlocked-qcmds?", "planet": "", "": "", "x": "",
	} {
		assert.Equal(t, want, Hint(word, names), word)
	}
	assert.Empty(t, Hint("ring", nil))
}

// Ranking loses no name, and puts an exact one first.
func TestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,8}`), 1, 8, rapid.ID[string]).Draw(t, "names")
		word := rapid.SampledFrom(names).Draw(t, "word")
		ranked := Rank(word, names)
		assert.Equal(t, word, ranked[0])
		assert.ElementsMatch(t, names, ranked)
		assert.True(t, slices.IsSortedFunc(ranked, func(a, b string) int { return Distance(word, a) - Distance(word, b) }))
	})
}
