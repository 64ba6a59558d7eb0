package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment/spec"
	"hostlock/results"
)

func TestParseShard(t *testing.T) {
	s, err := ParseShard("2/3")
	require.NoError(t, err)
	assert.Equal(t, Shard{2, 3}, s)
	for _, bad := range []string{"", "2", "0/3", "4/3", "-1/3", "1/0", "a/b", "1/2/3", "1/1000000"} {
		_, err := ParseShard(bad)
		assert.ErrorContains(t, err, "legal: I/N", bad)
	}
}

func TestShardFromEnv(t *testing.T) {
	const id, count, lowest, step, k8s = "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX"
	for i, c := range []struct {
		env   map[string]string
		count int
		want  Shard
		from  string
		err   string
	}{
		{nil, 0, Shard{}, "", ""},
		{map[string]string{id: "0", count: "4"}, 0, Shard{1, 4}, id, ""},
		{map[string]string{id: "3", count: "4", lowest: "1"}, 0, Shard{3, 4}, id, ""},
		{map[string]string{id: "30", count: "3", lowest: "10", step: "10"}, 0, Shard{3, 3}, id, ""},
		{map[string]string{id: "2", lowest: "1"}, 8, Shard{2, 8}, id, ""},
		{map[string]string{k8s: "0"}, 3, Shard{1, 3}, k8s, ""},
		{map[string]string{k8s: "2"}, 3, Shard{3, 3}, k8s, ""},
		{map[string]string{k8s: "0"}, 0, Shard{}, "", "JOB_COMPLETION_INDEX is set, but not how many parts there are; legal: --shards N, or --shard 1/1"},
		{map[string]string{k8s: "3"}, 3, Shard{}, "", "JOB_COMPLETION_INDEX=3: part 4 of 3; legal: 1 to 3"},
		{map[string]string{k8s: "x"}, 3, Shard{}, "", `JOB_COMPLETION_INDEX="x": not a number of an array job; legal: `},
		{map[string]string{id: "9", count: "4"}, 0, Shard{}, "", "SLURM_ARRAY_TASK_ID=9: part 10 of 4"},
		{map[string]string{id: "1", count: "x"}, 0, Shard{}, "", `SLURM_ARRAY_TASK_COUNT="x"`},
		{map[string]string{id: "1", count: "4", step: "0"}, 0, Shard{}, "", `SLURM_ARRAY_TASK_STEP="0"`},
		{nil, 3, Shard{}, "", "--shards 3: no scheduler says which of them this is; legal: --shard I/3"},
	} {
		got, from, err := ShardFromEnv(func(name string) string { return c.env[name] }, c.count)
		if c.err != "" {
			var bad *spec.UsageError
			require.ErrorAs(t, err, &bad, "%d", i)
			assert.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
		assert.Equal(t, c.from, from)
	}
}

// Parts have all points once, and about the same work.
func TestPartsAreAPartition(t *testing.T) {
	r := request()
	r.Cores, r.Duration = "1..256", 1e9
	plan := planOf(t, r)
	for _, n := range []int{1, 2, 3, 9, 100} {
		seen := make([]int, plan.Len())
		least, most, costliest := 1e300, 0.0, 0.0
		for i := range n {
			cost := 0.0
			for j, mine := range (Shard{i + 1, n}).choose(plan.points) {
				if mine {
					seen[j]++
					cost += plan.points[j].cost()
				}
				costliest = max(costliest, plan.points[j].cost())
			}
			least, most = min(least, cost), max(most, cost)
		}
		for j := range seen {
			assert.Equal(t, 1, seen[j])
		}
		assert.LessOrEqual(t, most-least, costliest+1e-9)
	}
}

// shards runs a sweep in parts and reads each as a file.
func shards(t *testing.T, r Request, n int) (names []string, parts []*results.Sweep) {
	t.Helper()
	for i := range n {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("part-%d.json", i+1))
		store, done, err := Open(file)
		require.NoError(t, err)
		s, err := planOf(t, r).Run(t.Context(), Options{Run: (&pretend{}).run, Shard: Shard{i + 1, n}, Done: done, Save: store.Save})
		require.NoError(t, err)
		require.NoError(t, store.Flush())
		assert.False(t, s.Partial, "a part that is whole is not partial")
		s, err = Read(file)
		require.NoError(t, err)
		names, parts = append(names, filepath.Base(file)), append(parts, s)
	}
	return names, parts
}

func TestPartsMergedAreTheWhole(t *testing.T) {
	whole, err := planOf(t, request()).Run(t.Context(), Options{Run: (&pretend{}).run})
	require.NoError(t, err)
	for _, n := range []int{1, 2, 3, 7, 30} {
		names, parts := shards(t, request(), n)
		s, missing, err := Merge(names, parts)
		require.NoError(t, err)
		assert.Empty(t, missing)
		assert.Equal(t, text(t, whole), text(t, s), "%d parts", n)
	}
}

func TestMergeNamesWhatIsMissing(t *testing.T) {
	names, parts := shards(t, request(), 12)
	s, missing, err := Merge(names[1:], parts[1:])
	require.NoError(t, err)
	require.Len(t, missing, len(parts[0].Points))
	for i, p := range parts[0].Points {
		assert.Equal(t, name(&p), missing[i])
	}
	assert.True(t, s.Partial)
	assert.Equal(t, len(missing), s.Missing)
}

func TestMergeRefuses(t *testing.T) {
	names, parts := shards(t, request(), 2)
	other := request()
	other.Cores = "1..8"
	_, others := shards(t, other, 2)
	again := *parts[1]
	again.Points = append([]results.SweepPoint{}, parts[0].Points...)
	again.Points[0].IOPS++
	edited := *parts[1]
	edited.Points = append([]results.SweepPoint{}, parts[1].Points...)
	edited.Points[0].Key = "x"
	first := func(s *results.Sweep) string { return name(&s.Points[0]) }
	for want, second := range map[string]*results.Sweep{
		"part-1.json and part-2.json are of different sweeps: their cores differ; legal: ":                        others[1],
		"part-1.json and part-2.json have different figures for " + first(&again):                                 &again,
		"part-2.json: the point " + first(&edited) + " is no part of its own sweep: the file was edited; legal: ": &edited,
	} {
		_, _, err := Merge(names, []*results.Sweep{parts[0], second})
		var bad *spec.UsageError
		require.ErrorAs(t, err, &bad, want)
		assert.ErrorContains(t, err, want)
	}
	_, _, err := Merge(nil, nil)
	assert.ErrorContains(t, err, "nothing to merge")
	same, missing, err := Merge([]string{"a", "b", "c"}, []*results.Sweep{parts[0], parts[0], parts[1]})
	require.NoError(t, err)
	assert.Empty(t, missing, "the same part twice does no harm")
	assert.Len(t, same.Points, requestPoints)
}

func TestFilesThatAreNoSweep(t *testing.T) {
	dir := t.TempDir()
	for file, content := range map[string]string{"blank": " ", "run": `{"schema":1}`, "half": `{"schema":1,"sweep":{`} {
		path := filepath.Join(dir, file)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		_, _, err := Open(path)
		var bad *spec.UsageError
		require.ErrorAs(t, err, &bad, file)
		assert.ErrorContains(t, err, path+": is no")
	}
	empty := filepath.Join(dir, "empty") // as mktemp leaves one
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, done, err := Open(empty)
	require.NoError(t, err)
	assert.Empty(t, done)
	_, _, err = Open(dir)
	assert.ErrorContains(t, err, "is a directory; legal: ")
	_, err = Read(filepath.Join(dir, "none"))
	assert.ErrorContains(t, err, "legal: a file that lab sweep wrote")
}
