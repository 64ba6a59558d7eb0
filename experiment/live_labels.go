package experiment

import (
	"context"

	"hostlock/dispatch"
	"hostlock/profiles"
)

// liveLabels are the goroutine labels of a live run, made beforehand: a waiter
// sets one without allocating.
type liveLabels struct {
	base  context.Context
	known *profiles.Labels
}

// lockClasses are those that labels are made for beforehand: the mid-layer's
// and the shipped drivers'.
var lockClasses = []string{
	profiles.ClassHostLock, "queue_lock", "list_lock", "free_list_lock", "FreeQ", "lookup_lock",
}

func newLiveLabels(strategy string) *liveLabels {
	known := profiles.NewLabels(strategy, dispatch.MeasuredSections(), lockClasses)
	return &liveLabels{base: known.Context("", ""), known: known}
}

// of is the labels of a place where a thread waits. The machine asks once for
// each place and keeps the answer, so a class that nobody knew beforehand,
// such as that of a user's own strategy, may be made here.
func (l *liveLabels) of(class, section string) context.Context {
	for _, c := range lockClasses {
		if c == class {
			return l.known.Context(section, class)
		}
	}
	return profiles.WithLock(l.known.Context(section, ""), class)
}
