// Package closest finds, among legal names, the one that was meant.
package closest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Rank is a copy of names, those first that need the fewest edits to become
// word; names as near as each other stay in their order.
func Rank(word string, names []string) []string {
	out := slices.Clone(names)
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Compare(Distance(word, a), Distance(word, b))
	})
	return out
}

// Distance is how many letters of a must be changed, added or left out to make
// b of it, whatever their case and whether words are joined by - or _.
func Distance(a, b string) int { return levenshtein.ComputeDistance(plain(a), plain(b)) }

func plain(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "-")) }

// Hint is "; did you mean NAME?" where a name is near enough to word to be it,
// else "".
func Hint(word string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	best := Rank(word, names)[0]
	// Two letters that changed places are two edits. Beyond half a word a name is
	// another one.
	if d := Distance(word, best); d > min(3, len(word)/2) {
		return ""
	}
	return "; did you mean " + best + "?"
}
