package mpmc

import (
	"strconv"
	"testing"

	"go.uber.org/atomic"

	"hostlock/machine"
)

// TestTryLosesNothing: what was put is taken once, in each producer's order.
func TestTryLosesNothing(t *testing.T) {
	const producers, consumers, each = 4, 4, 5000
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
	if err != nil {
		t.Fatal(err)
	}
	r := New("try", 64)
	var taken atomic.Int64
	var seen [producers * each]atomic.Int32
	for p := range producers {
		m.Go("put-"+strconv.Itoa(p), p, false, func(th *machine.Thread) {
			for i := range each {
				for !r.TryEnqueue(th, uint32(p*each+i)) {
					th.Yield()
				}
			}
		})
	}
	for c := range consumers {
		m.Go("get-"+strconv.Itoa(c), c, false, func(th *machine.Thread) {
			last := [producers]int{}
			for taken.Load() < producers*each {
				v, ok := r.TryDequeue(th)
				if !ok {
					th.Yield()
					continue
				}
				taken.Inc()
				seen[v].Inc()
				if p, i := int(v)/each, int(v)%each+1; i <= last[p] {
					t.Errorf("producer %d's item %d was taken after its item %d", p, i, last[p])
				} else {
					last[p] = i
				}
			}
		})
	}
	if _, err := m.Run(t.Context(), machine.Course{}); err != nil {
		t.Fatal(err)
	}
	for v := range seen {
		if n := seen[v].Load(); n != 1 {
			t.Fatalf("item %d was taken %d times", v, n)
		}
	}
}

// TestTryAtTheEdges: full and empty, on one thread.
func TestTryAtTheEdges(t *testing.T) {
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
	if err != nil {
		t.Fatal(err)
	}
	r := New("try", 4)
	m.Go("one", 0, false, func(th *machine.Thread) {
		for round := range uint32(5) {
			if _, ok := r.TryDequeue(th); ok {
				t.Error("something was taken from an empty ring")
			}
			for i := range uint32(4) {
				if !r.TryEnqueue(th, round*10+i) {
					t.Error("a ring with room took nothing")
				}
			}
			if r.TryEnqueue(th, 99) {
				t.Error("a full ring took one more")
			}
			for i := range uint32(4) {
				if v, ok := r.TryDequeue(th); !ok || v != round*10+i {
					t.Errorf("%d, %v; want %d", v, ok, round*10+i)
				}
			}
		}
	})
	if _, err := m.Run(t.Context(), machine.Course{}); err != nil {
		t.Fatal(err)
	}
}
