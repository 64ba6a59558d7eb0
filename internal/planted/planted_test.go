package planted

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/machine/computer"
	"hostlock/verify"
	"hostlock/verify/story"
	"hostlock/vet"
)

var update = flag.Bool("update", false, "write ../../verify/PLANTED.md anew")

// most is how many schedules a fault may take to be found.
const most = 20_000

// The sketch without a fault must pass, or what is found in it says nothing.
func TestSoundPasses(t *testing.T) {
	n := 3000
	switch {
	case slow:
		n = 50
	case testing.Short():
		n = 500
	}
	r, err := verify.Run(context.Background(), verify.Config{Strategy: Sound, Schedules: n, Seed: 1, Strict: true, AsFound: true})
	require.NoError(t, err)
	if r.Finding != nil {
		var b bytes.Buffer
		require.NoError(t, r.Finding.Print(&b, false))
		t.Fatal(b.String()[:min(b.Len(), 500)])
	}
}

// And must come to the end of every story.
func TestSoundEndsWell(t *testing.T) {
	for _, s := range append(story.Flow(), story.Stories()...) {
		t.Run(s.Name, func(t *testing.T) { require.NoError(t, s.Run(story.Options{Strategy: Sound})) })
	}
}

// Every fault is found, by which check and after how many schedules.
func TestEveryFaultIsFound(t *testing.T) {
	var table strings.Builder
	faults := Faults()
	require.GreaterOrEqual(t, len(faults), 20)
	for _, names := range []map[string]bool{long, races} {
		for name := range names {
			require.True(t, slices.ContainsFunc(faults, func(f Fault) bool { return f.Name == name }), name)
		}
	}
	for i, f := range faults {
		if slow && i%16 != 0 || testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			began, _ := computer.ProcessCPU()
			row := explored
			switch {
			case f.Told:
				row = told
			case f.Source != "":
				row = vetted
			case f.Long:
				row = atLength
			}
			r := row(t, &f)
			ended, _ := computer.ProcessCPU()
			require.True(t, r.pair == "yes" || !f.Race, "the trace holds no racing pair")
			fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s |\n", f.Name, f.About, r.kind, r.where, r.schedules, r.pair, seconds(ended-began))
		})
	}
	if *update && !slow && !testing.Short() {
		writeTable(t, table.String())
	}
}

// row is what the table says of a fault: the check that found it, where, after how
// many schedules, and whether the trace that is shown holds a racing pair.
type row struct{ kind, where, schedules, pair string }

// explored looks for a fault in explored schedules. A race is cut down to the trace
// that a user sees; of the others it is not worth the time.
func explored(t *testing.T, f *Fault) row {
	r, err := verify.Run(context.Background(), verify.Config{
		Strategy: f.Registered(), Schedules: most, Seed: 1, Set: f.Set, Mistake: f.Mistake, Strict: f.Strict, AsFound: !f.Race,
	})
	require.NoError(t, err)
	require.NotNil(t, r.Finding, "not found in %d schedules", r.Explored.Schedules)
	g := r.Finding
	t.Logf("%s, in scenario %s, after %d schedules: %s", g.Kind, g.Scenario, r.Explored.Schedules, g.What)
	out := row{string(g.Kind), g.Scenario, fmt.Sprint(r.Explored.Schedules), "no"}
	if g.Schedule == "" { // no single schedule shows it
		out.pair = "no trace"
		return out
	}
	if g.Pair() {
		out.pair = "yes"
	}
	again, err := verify.Replay(g.Config, g.Schedule)
	require.NoError(t, err)
	require.NotNil(t, again, "does not replay")
	// What a finding says may go on with where it was found.
	require.True(t, strings.HasPrefix(g.What, again.What), "%s, and replayed %s", g.What, again.What)
	return out
}

// told looks for a fault in the stories.
func told(t *testing.T, f *Fault) row {
	for _, s := range append(story.Flow(), story.Stories()...) {
		if err := s.Run(story.Options{Strategy: f.Registered(), Mistake: f.Mistake}); err != nil {
			t.Logf("story %q: %v", s.Name, err)
			return row{"story", s.Name, "none", "no trace"}
		}
	}
	t.Fatal("every story ends as it must")
	return row{}
}

// atLength looks for a fault in the long run.
func atLength(t *testing.T, f *Fault) row {
	_, g, err := verify.LongRun(context.Background(), verify.Config{Strategy: f.Registered(), Seed: 1})
	require.NoError(t, err)
	require.NotNil(t, g, "not found in the long run")
	t.Logf("%s: %s", g.Kind, g.What)
	return row{string(g.Kind), g.Scenario, "none", "no trace"}
}

// vetted looks for a fault in the source.
func vetted(t *testing.T, f *Fault) row {
	r, err := vet.Run(context.Background(), ".", []string{"."})
	require.NoError(t, err)
	for _, g := range r.Findings {
		if strings.HasPrefix(g.Verb, f.Source+".") {
			return row{"source, " + g.Check, "none", "none", "no trace"}
		}
	}
	t.Fatal("not found in the source")
	return row{}
}

// seconds is a processor time, to two digits.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(max(d.Seconds(), 0.01), 'g', 2, 64)
}

func writeTable(t *testing.T, rows string) {
	text := `# Planted faults

What ` + "`lab verify`" + ` is worth is what it finds. Each row is a strategy that is right
but for one mistake (package internal/planted), the check that found it, in which
scenario, and how many schedules that took with seed 1 and the default size of
4 threads of 4 commands, 2 LUNs and 2 host slots. The slowest row says how many
schedules a verification should have at least. A fault that so small a load
cannot show, since a plug's timer makes up for it, a device would have to stay
silent, a wait be too short, or a command be used again, is found by a story
(package verify/story), which strategytest tells. What no run shows at all,
` + "`lab vet`" + ` finds in the source.

The last column is the processor time in seconds that this took, setting up
included, measured once, on a shared computer: an order of magnitude.

Generated by ` + "`go test ./internal/planted -update`" + `; the test fails where a fault
is not found within ` + fmt.Sprint(most) + ` schedules.

What is not in the table: taking a device out of the set of starved devices by a
load and a store, which loses a device that was added in between. Several
operations of three agents have to come in one order for that to matter, and it
took 152,598 schedules with seed 1, of the 14 scenarios that there were then.
Faults as deep as that are where a
verification of the default size ends.

| fault | what was done wrong | found by | in scenario | schedules | racing pair shown | s |
|---|---|---|---|---|---|---|
` + rows
	require.NoError(t, os.WriteFile("../../verify/PLANTED.md", []byte(text), 0o644))
}
