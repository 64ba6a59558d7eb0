package main

import (
	"testing"

	"hostlock/strategies/strategytest"
)

func TestOneLock(t *testing.T) { strategytest.Run(t, "onelock") }
