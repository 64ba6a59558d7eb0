package experiment

import (
	"fmt"
	"strings"

	"hostlock/machine/param"
	"hostlock/profiles"
	"hostlock/results"
)

// noEffect names the values that the file or the command line gives and that
// another value, or the strategy, makes idle: one line each. A run with such a
// value is a legal one; whoever asked for it should know that it measures
// nothing.
func (p *planned) noEffect() []string {
	var out []string
	say := func(v param.Value, why string) {
		out = append(out, fmt.Sprintf("%s=%s changes nothing here: %s", v.Name, v.Text, why))
	}
	for _, v := range p.usedParams().Values() {
		if v.Text == v.Default {
			continue
		}
		own, name, _ := strings.Cut(v.Name, ".")
		switch {
		case v.Name == "midlayer.historic_target_bug" && v.Num != 0 && !p.strategy.KeepsStarvedList:
			say(v, "strategy "+p.strategy.Name+" has no starved list that is kept as 2.6.35 did")
		case handlers[v.Name] && !p.params.Bool("midlayer.error_handling"), name == "recovers_by" && !p.params.Bool("midlayer.error_handling"):
			say(v, "no error is handled without midlayer.error_handling=true")
		case own != p.driver.Name:
		case name == "delay_rate" && p.params.Duration(own+".delay") == 0:
			say(v, own+".delay is 0")
		case name == "hang_at" && p.params.Duration(own+".hang_for") == 0:
			say(v, own+".hang_for is 0")
		case name == "hang_for" && p.params.Duration(own+".hang_at") == 0:
			say(v, own+".hang_at is 0, which is never")
		}
	}
	return out
}

// handlers are the parameters that only the error handler reads.
var handlers = map[string]bool{
	"midlayer.eh_scale": true, "midlayer.allow_restart": true, "midlayer.eh_settle": true, "midlayer.eh_probe_timeout": true,
}

// noHostLock says that an algorithm was asked for that no lock had: only the run
// knows, since a driver that relies on the host lock gets one under any
// strategy.
func (p *planned) noHostLock(r *results.Result) []string {
	const name = "lock.host_lock"
	for _, v := range p.usedParams().Values() {
		if v.Name != name || v.From != commandLine {
			continue
		}
		for _, l := range r.Locks {
			if l.Class == profiles.ClassHostLock {
				return nil
			}
		}
		return []string{fmt.Sprintf("%s=%s changes nothing here: strategy %s has no host lock", name, v.Text, p.strategy.Name)}
	}
	return nil
}
