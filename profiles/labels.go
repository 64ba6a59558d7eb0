package profiles

import (
	"context"
	"runtime/pprof"
)

// Labels are goroutine labels for live profiles, made before the run: setting
// one on a measured path allocates nothing. A Labels is read-only once made,
// and any number of goroutines may use it.
type Labels struct {
	byKey map[labelKey]context.Context
}

type labelKey struct{ section, lock string }

// NewLabels makes a context for every section, alone and with every class of
// lock, all of one strategy. The empty section stands for being outside of
// any.
func NewLabels(strategy string, sections, locks []string) *Labels {
	l := &Labels{byKey: map[labelKey]context.Context{}}
	base := context.Background()
	if strategy != "" {
		base = pprof.WithLabels(base, pprof.Labels(LabelStrategy, strategy))
	}
	sections = append([]string{""}, sections...)
	locks = append([]string{""}, locks...)
	for _, section := range sections {
		ctx := base
		if section != "" {
			ctx = pprof.WithLabels(ctx, pprof.Labels(LabelSection, section))
		}
		for _, lock := range locks {
			c := ctx
			if lock != "" {
				c = pprof.WithLabels(c, pprof.Labels(LabelLock, lock))
			}
			l.byKey[labelKey{section, lock}] = c
		}
	}
	return l
}

// Context is the prepared context of a section and the class of lock that is
// being waited for; either may be empty. What was not prepared is left out
// rather than made, lock before section.
func (l *Labels) Context(section, lock string) context.Context {
	if c, ok := l.byKey[labelKey{section, lock}]; ok {
		return c
	}
	if c, ok := l.byKey[labelKey{section, ""}]; ok {
		return c
	}
	if c, ok := l.byKey[labelKey{"", lock}]; ok {
		return c
	}
	return l.byKey[labelKey{}]
}

// WithLock is a context with the label of one more class of lock: for a class
// that was not known when the Labels were made. It allocates.
func WithLock(ctx context.Context, class string) context.Context {
	return pprof.WithLabels(ctx, pprof.Labels(LabelLock, class))
}
