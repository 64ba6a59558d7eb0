package strategytest

import (
	"errors"
	"testing"

	"hostlock/dispatch"
	"hostlock/verify"
	"hostlock/verify/story"
)

// flows tells every story of refusals and states.
func flows(t *testing.T, strategy string) {
	for _, s := range story.Flow() {
		t.Run("flow/"+s.Name, func(t *testing.T) {
			if err := s.Run(story.Options{Strategy: strategy}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// errorHandling tells every story of error handling, and lets timers and
// completions meet in explored schedules, where exactly one of them may win.
func errorHandling(t *testing.T, strategy string, told *bool) {
	for _, s := range []struct{ name, scenario string }{
		{"timeout against completion", verify.Timeouts},
		{"timeout against removal", verify.TimeoutsRemoval},
		{"timeout against can_queue", verify.TimeoutsThrottle},
	} {
		t.Run("errors/"+s.name, func(t *testing.T) {
			explore(t, verify.Config{Strategy: strategy, Seed: 2, Schedules: schedules() / 3, Scenarios: []string{s.scenario}}, told)
		})
	}
	for _, s := range story.Stories() {
		t.Run("errors/"+s.Name, func(t *testing.T) {
			err := s.Run(story.Options{Strategy: strategy})
			unable(t, err)
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// unable skips what needs error handling where the strategy has none.
func unable(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, dispatch.ErrNoRecoverer) {
		t.Skip("skipped: strategy has no Recoverer")
	}
}
