// Package lockhammer holds the simulated machine's line model against a
// published host: rows of lockhammer, of which FIT.md says which ones fit its
// values and which judge it.
package lockhammer
