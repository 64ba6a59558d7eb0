package rt

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// A bucket holds what is counted there, and is at most a quarter of its own
// value wide.
func TestBucketsHoldTheirTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(0, 1<<40).Draw(t, "ns")
		low, high := BucketNs(Bucket(ns))
		if ns < low || ns >= high {
			t.Fatalf("%d is not within %d and %d", ns, low, high)
		}
		if low > 4 && float64(high-low) > 0.25*float64(low) {
			t.Fatalf("%d to %d is too wide", low, high)
		}
	})
	assert.Zero(t, Bucket(-1))
	assert.Equal(t, Buckets-1, Bucket(1<<62))
}

func TestWrapper(t *testing.T) {
	for name, want := range map[string]bool{
		"main.(*traced).Lock": true, "example.com/a/b.(*T).RLock": true, "example.com/a/b.T.TryLock": true,
		"main.(*G[go.shape.int]).Lock": true, "main.Lock": false, "example.com/a.Lock": false, "main.(*T).lock": false,
		"main.(*T).Lock.func1": false, "main.(*T).Unlock": false, "": false, "Lock": false,
	} {
		assert.Equal(t, want, Wrapper(name), name)
	}
}
