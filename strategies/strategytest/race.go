//go:build race

package strategytest

const raceEnabled = true
