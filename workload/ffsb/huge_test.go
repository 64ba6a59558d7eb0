package ffsb

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBlocksOfTheLargestFile(t *testing.T) {
	for bytes, want := range map[int64]int64{0: 0, 1: 1, BlockSize: 1, BlockSize + 1: 2, math.MaxInt64: 1 << 51, math.MaxInt64 - BlockSize: 1<<51 - 1} {
		assert.Equal(t, want, blocksFor(bytes), "%d", bytes)
	}
}
