//go:build !race

package strategies_test

const raceEnabled = false
