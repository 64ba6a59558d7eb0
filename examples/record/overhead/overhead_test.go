// Package overhead has what a recording costs: locks that do nothing else.
package overhead

import (
	"sync"
	"sync/atomic"
	"testing"
)

func BenchmarkAlone(b *testing.B) {
	var mu sync.Mutex
	for b.Loop() {
		mu.Lock()
		mu.Unlock()
	}
}

func BenchmarkContended(b *testing.B) {
	var mu sync.Mutex
	n := 0
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
}

// Each goroutine has locks of its own, on lines of their own: a recorder that
// shares a line among them shows here.
func BenchmarkShards(b *testing.B) {
	var shards [64]struct {
		mu sync.Mutex
		n  int
		_  [48]byte
	}
	var next atomic.Int64
	b.RunParallel(func(p *testing.PB) {
		for s := &shards[next.Add(1)%64]; p.Next(); {
			s.mu.Lock()
			s.n++
			s.mu.Unlock()
		}
	})
}

func BenchmarkReaders(b *testing.B) {
	var rw sync.RWMutex
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			rw.RLock()
			rw.RUnlock()
		}
	})
}

var sink uint64

// A lock taken once a microsecond, as a busy service does.
func BenchmarkService(b *testing.B) {
	var mu sync.Mutex
	b.RunParallel(func(p *testing.PB) {
		x := uint64(1)
		for p.Next() {
			for range 1000 {
				x = x*6364136223846793005 + 1442695040888963407
			}
			mu.Lock()
			sink = x
			mu.Unlock()
		}
	})
}
