package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of a loop without end one round is printed, with the verb of each step.
func TestPrintsOneRoundOfALoop(t *testing.T) {
	f := Failure{Kind: NoProgress, What: "w"}
	in := Place{"example.com/mine/main.go", 71}
	for range 500 {
		f.Trace = append(f.Trace,
			Step{Agent: "a", Op: "load", Object: "x#1", Where: in, Verb: "Release", Via: Place{"example.com/mine/main.go", 220}},
			Step{Agent: "b", Op: "store", Object: "x#1", Where: in, Verb: "Next", Via: in})
	}
	var b strings.Builder
	require.NoError(t, f.Print(&b, nil))
	require.Contains(t, b.String(), "main.go:71 (Release main.go:220)\n")
	require.Contains(t, b.String(), "main.go:71 (Next)\n")
	require.Contains(t, b.String(), "... and the same 499 times more ...")
	require.Less(t, b.Len(), 400)
	require.Equal(t, "example.com/mine/main.go:71", in.Full())
}
