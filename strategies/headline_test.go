package strategies_test

import (
	"testing"
	"time"
)

// BenchmarkHeadline is a load like the published one: 64 cores, 128 threads,
// 16 SSDs behind one adapter. It reports events and time per command.
func BenchmarkHeadline(b *testing.B) {
	for _, strategy := range all {
		b.Run(strategy, func(b *testing.B) {
			for range b.N {
				m, sys := setup{strategy: strategy, cores: 64, targets: 16, seed: 1, set: set{"mptsas.queuecommand": "6.4us"}}.make(b)
				writers(m, sys, 128, 554*time.Microsecond)
				a := run(b, m, sys, 500*time.Millisecond)
				l, w := closed(b, sys), sys.Window()
				spin := time.Duration(0)
				for _, k := range a.Locks {
					if k.Class == "host_lock" {
						spin = k.Wait.Total
					}
				}
				b.ReportMetric(float64(a.Events)/float64(l.Completed), "events/cmd")
				b.ReportMetric(float64(w.Completed)/0.5, "IOPS")
				b.ReportMetric(100*spin.Seconds()/(0.5*64), "host_lock_%of_cores")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Completed), "ns/cmd")
			}
		})
	}
}
