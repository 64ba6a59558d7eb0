package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A set of cores is what a map of them would be, within the first word and
// beyond it.
func TestCoresAreASet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		of := rapid.IntRange(1, 300).Draw(rt, "of")
		core := rapid.IntRange(0, of-1)
		set, model := noCores(of), map[int]bool{}
		for range rapid.IntRange(0, 20).Draw(rt, "ops") {
			c := core.Draw(rt, "core")
			if rapid.Bool().Draw(rt, "only") {
				set.only(c)
				clear(model)
			} else {
				set.add(c)
			}
			model[c] = true
		}
		first := -1
		for c := of - 1; c >= 0; c-- {
			require.Equal(rt, model[c], set.has(c), "core %d", c)
			require.Equal(rt, model[c] && len(model) == 1, set.are(c), "core %d alone", c)
			if model[c] {
				first = c
			}
		}
		require.Equal(rt, first, set.first())
	})
}
