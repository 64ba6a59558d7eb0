// Package planted has faults on purpose: strategies that are right but for one
// mistake each, registered under names that begin with "planted/". The tests of
// this package have verify find every one, which says what verify is worth.
// Nothing but tests imports it.
package planted
