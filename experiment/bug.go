package experiment

import (
	"errors"
	"fmt"

	"hostlock/machine"
	"hostlock/results"
)

// Bug is a run in which the program panicked, with what it takes to run it
// again. The run has no result.
type Bug struct {
	Strategy, Driver, Workload, Machine string
	Cores                               int
	Seed                                uint64
	Panic                               *machine.Panicked
}

// Error is the run, what happened, and the stack in the lines below.
func (b *Bug) Error() string {
	return fmt.Sprintf("%s: %v", b.Run(), b.Panic)
}

// Run names the run.
func (b *Bug) Run() string {
	return fmt.Sprintf("strategy %s, driver %s, workload %s, machine %s, %s, seed %d",
		b.Strategy, b.Driver, b.Workload, b.Machine, results.Count(b.Cores, "core"), b.Seed)
}

// Unwrap is the panic.
func (b *Bug) Unwrap() error { return b.Panic }

// bug makes a [Bug] of an error that is, or holds, a panic; it is nil for any
// other.
func (p *planned) bug(err error) error {
	var panicked *machine.Panicked
	if !errors.As(err, &panicked) {
		return nil
	}
	return &Bug{
		Strategy: p.strategy.Name, Driver: p.driver.Name, Workload: p.workload.Name(),
		Machine: p.machineName, Cores: p.cores, Seed: p.seed, Panic: panicked,
	}
}

// caught turns a panic of the calling goroutine into a [Bug]; deferred.
func (p *planned) caught(err *error) {
	if v := recover(); v != nil {
		*err = p.bug(machine.Caught("", 0, v))
	}
}
