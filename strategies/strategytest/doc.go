// Package strategytest checks that a strategy keeps its contract, in the manner
// of testing/fstest: one call from a test of one's own.
//
//	func TestStriped(t *testing.T) { strategytest.Run(t, "striped") }
//
// What is checked: limits are exact; nothing is lost, and nothing done twice;
// starved LUNs are restarted; order where it is promised; SHOST_DEL, blocked
// and quiesced states are respected; errors are handled, from the abort to the
// device that goes offline, where the strategy is a dispatch.Recoverer; no wake-up
// is lost that only a plug's timer makes up for, unless [Stalls] says that it is
// meant; locks are used as the kernel allows; no goroutine is left; steady state
// allocates nothing. It runs on explored
// schedules, in virtual time and on this computer's cores, where the race
// detector watches if the test was built with -race.
package strategytest
