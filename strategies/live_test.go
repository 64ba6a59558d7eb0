package strategies_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
)

// TestLive runs every strategy on real goroutines, where the race detector
// sees what the other machines cannot show.
func TestLive(t *testing.T) {
	for _, driver := range []string{"mptsas", "ramdisk", "null"} {
		t.Run(driver, func(t *testing.T) {
			each(t, func(t *testing.T, strategy string) {
				m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 500})
				require.NoError(t, err)
				p, err := dispatch.NewParams(driver)
				require.NoError(t, err)
				for k, v := range (set{"host.can_queue": "5", "host.cmd_per_lun": "3", "host.target_can_queue": "4", "device.capacity": "1g",
					driver + ".host_busy_rate": "0.005", driver + ".device_busy_rate": "0.005", driver + ".retry_rate": "0.01"}) {
					require.NoError(t, p.Set(k, v))
				}
				for _, s := range []string{"mptsas.device_latency", "ramdisk.device_latency"} {
					if p.Has(s) {
						require.NoError(t, p.Set(s, "20us"))
					}
				}
				sys, err := dispatch.New(m, dispatch.Config{Strategy: strategy, Driver: driver, Params: p, Targets: 3})
				require.NoError(t, err)
				if driver == "ramdisk" {
					verifiers(t, m, sys, 8, 20)
				} else {
					writers(m, sys, 8, 5*time.Microsecond)
				}
				run(t, m, sys, 60*time.Millisecond)
				l := closed(t, sys)
				require.Positive(t, l.Completed)
				require.Positive(t, l.Requeued)
			})
		})
	}
}
