package compare

import (
	"strings"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// Side is one thing that is compared.
type Side struct {
	Name     string // as tables have it
	Strategy string // "" for the experiment's own
	Set      []param.Setting
}

// ParseSide reads "STRATEGY", "STRATEGY:NAME=VALUE,..." or "NAME=VALUE,...",
// which is the experiment's own strategy. Its error is a [spec.UsageError].
func ParseSide(text string) (Side, error) {
	strategy, settings, _ := strings.Cut(text, ":")
	if settings == "" && strings.Contains(strategy, "=") {
		strategy, settings = "", text
	}
	s := Side{Name: text}
	if strategy != "" {
		info, err := dispatch.LookupStrategy(strategy)
		if err != nil {
			return s, spec.Usagef("%w; or a side such as %s:host.can_queue=1024, or a file of results", err, dispatch.Strategies()[0].Name)
		}
		s.Strategy, s.Name = info.Name, info.Name
		if settings != "" {
			s.Name += ":" + settings
		}
	}
	if strategy == "" && settings == "" || settings == "" && strings.HasSuffix(text, ":") {
		return s, spec.Usagef("side %q says nothing; legal: STRATEGY, STRATEGY:NAME=VALUE,... or NAME=VALUE,...", text)
	}
	if settings == "" {
		return s, nil
	}
	for one := range strings.SplitSeq(settings, ",") {
		v, err := param.ParseSetting(one)
		if err != nil {
			return s, spec.Usagef("side %q: %w", text, err)
		}
		s.Set = append(s.Set, v)
	}
	return s, nil
}
