package strategies

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine"
)

// slot is what a tag stands for: words that belong to who has the tag.
type slot [8]uint64

// fightForTags takes and gives back tags, as commands do, and writes its own id
// into the words of each that it has. Its error says what it found.
func fightForTags(t *machine.Thread, r *tagRing, slots []slot, id uint64, times int) error {
	most := 1 + int(id)%3
	var mine []uint32
	for n := 0; n < times; n++ {
		for len(mine) < most {
			tag, ok := pop(t, r.free)
			if !ok {
				break
			}
			mine = append(mine, tag)
			for w := range slots[tag] {
				slots[tag][w] = id
			}
		}
		if taken := r.Taken(t); taken < len(mine) {
			return fmt.Errorf("thread %d has %d tags, and %d are taken", id, len(mine), taken)
		}
		if n%5 == 0 || t.Hooked() {
			t.Yield()
		}
		if len(mine) == 0 {
			t.Relax(r.free.Tail())
			continue
		}
		tag := mine[0]
		mine = append(mine[:0], mine[1:]...)
		for w, found := range slots[tag] {
			if found != id {
				return fmt.Errorf("thread %d has tag %d, whose word %d thread %d wrote", id, tag, w, found)
			}
		}
		push(t, r.free, tag)
	}
	for _, tag := range mine {
		push(t, r.free, tag)
	}
	return nil
}

// TestOneOwnerOfATag: no two commands have one tag, none is lost, and never are
// fewer counted as taken than somebody has. HOSTLOCK_COMMANDS is the long form.
func TestOneOwnerOfATag(t *testing.T) {
	total := 60_000
	if text := os.Getenv("HOSTLOCK_COMMANDS"); text != "" {
		var err error
		total, err = strconv.Atoi(text)
		require.NoError(t, err, "HOSTLOCK_COMMANDS")
	}
	const threads = 6
	for _, tags := range []int{1, 2, 5, 32} {
		t.Run(fmt.Sprint(tags), func(t *testing.T) {
			var r tagRing
			r.init(tags)
			slots := make([]slot, tags)
			m, err := machine.NewLive(machine.LiveConfig{Calibration: 500})
			if err != nil {
				t.Skip(err)
			}
			for id := range uint64(threads) {
				m.Go(fmt.Sprint("fighter/", id), int(id), false, func(th *machine.Thread) {
					if err := fightForTags(th, &r, slots, id, total/4/threads); err != nil {
						panic(err)
					}
				})
			}
			_, err = m.Run(context.Background(), machine.Course{})
			require.NoError(t, err)
			var th machine.Thread
			require.Zero(t, r.Taken(&th))
			seen := make([]bool, tags)
			for range tags {
				tag, ok := pop(&th, r.free)
				require.True(t, ok)
				require.False(t, seen[tag])
				seen[tag] = true
			}
			require.Equal(t, tags, r.Taken(&th))
			_, ok := pop(&th, r.free)
			require.False(t, ok)
		})
	}
}
