package calibrate

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// What is measured depends on the computer; that it is there does not.
func TestMeasure(t *testing.T) {
	defer goleak.VerifyNone(t)
	last := 0.0
	r, err := Measure(context.Background(), Config{
		Repetitions: 2, Each: time.Millisecond,
		Progress: func(done float64) {
			if done < last || done > 1 {
				t.Errorf("progress %v after %v", done, last)
			}
			last = done
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cores != runtime.GOMAXPROCS(0) || r.Burn <= 0 || last != 1 || len(r.Remarks) == 0 {
		t.Fatalf("%+v", r)
	}
	for _, f := range r.Figures() {
		// A hand-off may not take place often enough beside other processes.
		if f.Repetitions != 2 && !strings.Contains(f.Name, "hand-off") || f.Low > f.Median || f.Median > f.High || f.Name == "" {
			t.Errorf("%+v", f)
		}
		t.Log(f)
	}
	if r.Cores > 1 && (len(r.Transfer) == 0 || len(r.HandOff) == 0 || r.TransferOverall().Median <= 0) {
		t.Errorf("no pairs on %d cores: %+v", r.Cores, r)
	}
	t.Log(strings.Join(r.Remarks, "\n"))
}

func TestMeasureInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("Ctrl-C")
	r, err := Measure(ctx, Config{Each: time.Millisecond, Progress: func(float64) { cancel(stop) }})
	if r == nil || !errors.Is(err, stop) {
		t.Fatalf("result %v, error %v", r, err)
	}
	if r.Clock.Repetitions != 1 || r.TimerBusy.Steadiness() != "not measured" {
		t.Errorf("%+v", r)
	}
}

// Quartiles are those of R's type 8, as the library has them.
func TestFigure(t *testing.T) {
	for _, c := range []struct {
		ns                []float64
		low, median, high float64
		steady            string
	}{
		{nil, 0, 0, 0, "not measured"},
		{[]float64{7}, 7, 7, 7, "of one repetition"},
		{[]float64{103, 101, 100, 102, 104}, 100.667, 102, 103.333, "steady"},
		{[]float64{4, 1, 3, 2}, 1.417, 2.5, 3.583, "unsteady"},
		{[]float64{90, 110, 100}, 91.667, 100, 108.333, "fair"},
	} {
		f := newFigure("x", c.ns)
		near := func(a, b float64) bool { return math.Abs(a-b) < 0.001 }
		if !near(f.Low, c.low) || !near(f.Median, c.median) || !near(f.High, c.high) || f.Steadiness() != c.steady {
			t.Errorf("%v: %v", c.ns, f)
		}
	}
}

func TestPairsAndWaiters(t *testing.T) {
	if got := pairsOf([]int{0, 2, 3}, 64); len(got) != 3 || got[2] != [2]int{2, 3} {
		t.Errorf("%v", got)
	}
	if got := pairsOf(make([]int, 64), 10); len(got) != 10 {
		t.Errorf("%d pairs", len(got))
	}
	for cores, want := range map[int]int{1: 0, 2: 1, 3: 2, 4: 3, 64: 12} {
		got := waiterCounts(cores)
		if len(got) != want || want > 0 && got[len(got)-1] != cores-1 {
			t.Errorf("%d cores: %v", cores, got)
		}
	}
}
