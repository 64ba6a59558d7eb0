package ffsb

import (
	"testing"
	"time"
)

// BenchmarkHeadline is the headline's load on 64 cores: real time for each
// block.
func BenchmarkHeadline(b *testing.B) {
	w := builtin(b, "headline")
	blocks := int64(0)
	for b.Loop() {
		r := bench{driver: "mptsas", cores: 64, luns: 16, duration: 500 * time.Millisecond, set: map[string]string{"fs.cpu": "554us"}}.run(b, w)
		blocks += r.counts()["transactions"]
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(blocks), "ns/block")
}
