package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hostlock/experiment/spec"
)

// Shard is one of several parts of a sweep that are run apart. The zero value
// is the whole.
type Shard struct {
	Index, Count int // Index counts from 1
}

// maxShards bounds what is taken for a number of parts.
const maxShards = maxPoints

func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// ParseShard reads "2/3", the second of three.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || count < 1 || count > maxShards || index < 1 || index > count {
		return Shard{}, fmt.Errorf("legal: I/N, 1 to N of N parts, such as 2/3")
	}
	return Shard{index, count}, nil
}

// ShardFromEnv takes the part from what a scheduler tells a task of an array
// job: Slurm says which task it is and how many there are, Kubernetes (an
// Indexed Job) only which. count, where it is not 0, says how many parts there
// are. from names the variable; "" where no scheduler says anything.
func ShardFromEnv(getenv func(string) string, count int) (s Shard, from string, err error) {
	num := func(name string, least, otherwise int) int {
		text := getenv(name)
		if text == "" {
			return otherwise
		}
		n, e := strconv.Atoi(text)
		if (e != nil || n < least) && err == nil {
			err = spec.Usagef("%s=%q: not a number of an array job; legal: a whole number, %d or more, or --shard I/N", name, text, least)
		}
		return n
	}
	const slurm, kubernetes = "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"
	switch {
	case getenv(slurm) != "":
		from = slurm
		lowest, step := num("SLURM_ARRAY_TASK_MIN", 0, 0), num("SLURM_ARRAY_TASK_STEP", 1, 1)
		s = Shard{1 + (num(slurm, 0, 0)-lowest)/max(step, 1), num("SLURM_ARRAY_TASK_COUNT", 1, 0)}
	case getenv(kubernetes) != "":
		from = kubernetes
		s.Index = 1 + num(kubernetes, 0, 0)
	case count > 0:
		return s, "", spec.Usagef("--shards %d: no scheduler says which of them this is; legal: --shard I/%d, or SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX in the environment", count, count)
	default:
		return s, "", nil
	}
	if count > 0 {
		s.Count = count
	}
	switch {
	case err != nil:
		return s, from, err
	case s.Count == 0:
		return s, from, spec.Usagef("%s is set, but not how many parts there are; legal: --shards N, or --shard 1/1 for the whole sweep", from)
	case s.Index < 1 || s.Index > s.Count:
		return s, from, spec.Usagef("%s=%s: part %d of %d; legal: 1 to %d", from, getenv(from), s.Index, s.Count, s.Count)
	}
	return s, from, nil
}

// choose says which points belong to a shard. Every part gets about the same
// work: the costliest point goes to the part that has least so far. Each
// computer works that out by itself, from the same sweep.
func (s Shard) choose(points []point) []bool {
	mine := make([]bool, len(points))
	if s.Count == 0 {
		for i := range mine {
			mine[i] = true
		}
		return mine
	}
	load := make([]float64, s.Count)
	for _, i := range costliestFirst(points) {
		least := 0
		for j := range load {
			if load[j] < load[least] {
				least = j
			}
		}
		load[least] += points[i].cost()
		mine[i] = least == s.Index-1
	}
	return mine
}

// costliestFirst is the order in which cores are kept busy to the end.
func costliestFirst(points []point) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(points[b].cost(), points[a].cost()) })
	return order
}
