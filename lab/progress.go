package lab

import (
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressSteps is how finely a bar is told.
const progressSteps = 1000

// progress shows how far a run is, on a terminal that can go back to the
// beginning of its line, and nowhere else. The functions are for
// experiment.Options.Progress, nil where nothing is shown, and for the end of
// the run.
func (a *app) progress(what string) (step func(float64), done func()) {
	step, _, done = a.progressSaying(what)
	return step, done
}

// progressSaying is progress where what is said beside the bar may change.
func (a *app) progressSaying(what string) (step func(float64), say func(string), done func()) {
	if !terminal(a.stderr) || os.Getenv("TERM") == "dumb" {
		return nil, nil, func() {}
	}
	bar := progressbar.NewOptions(progressSteps,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	var mu sync.Mutex // a live machine's progress comes from another goroutine
	step = func(share float64) {
		mu.Lock()
		defer mu.Unlock()
		// The last step is done's: a full bar would be taken away too early.
		_ = bar.Set(int(min(max(share, 0), 0.999) * progressSteps))
	}
	say = func(what string) {
		mu.Lock()
		defer mu.Unlock()
		bar.Describe(what)
	}
	return step, say, func() {
		mu.Lock()
		defer mu.Unlock()
		_ = bar.Finish()
	}
}
