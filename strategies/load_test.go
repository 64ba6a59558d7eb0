package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLedgerClosesUnderLoad(t *testing.T) {
	each(t, func(t *testing.T, strategy string) {
		m, sys := setup{strategy: strategy, cores: 16, targets: 8, seed: 1}.make(t)
		writers(m, sys, 32, 50*time.Microsecond)
		a := run(t, m, sys, 50*time.Millisecond)
		l := closed(t, sys)
		w := sys.Window()
		require.Positive(t, w.Completed)
		t.Logf("%d commands, %.1f events a command, mean latency %.0f us", l.Completed, float64(a.Events)/float64(l.Completed), w.Latency.Mean()/1e3)
		for _, k := range a.Locks {
			t.Logf("  %-16s %.2f a command, %.0f%% contended", k.Class, float64(k.Acquisitions)/float64(w.Completed), 100*float64(k.Contentions)/float64(k.Acquisitions))
		}
	})
}
