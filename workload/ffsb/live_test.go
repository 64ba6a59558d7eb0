package ffsb

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/workload"
)

// On real goroutines everything happens at once: the race detector watches,
// and verification says whether the files' bookkeeping held.
func TestLiveVerified(t *testing.T) {
	// More creates than deletes: as many of each is a random walk, which a long
	// run takes down to no file at all.
	w := of(t, fmt.Sprintf(busy, 20, `create_fsync_weight=5
readall_weight=2
append_weight=1
delete_weight=2
metaop_weight=1
createdir_weight=1
stat_weight=1
writeall_weight=1
open_close_weight=1
[stats]
enable_stats=1
enable_range=1
msec_range 0 1
[end]`))
	b := bench{driver: "ramdisk", set: map[string]string{"fs.verify": "true", "fs.cpu": "1us", "fs.meta_cpu": "1us"}}.defaults()
	m, err := machine.NewLive(machine.LiveConfig{Seed: 1, Calibration: 100})
	require.NoError(t, err)
	p := b.params(t, w)
	sys, err := dispatch.New(m, dispatch.Config{Strategy: b.strategy, Driver: b.driver, Params: p, Targets: b.luns})
	require.NoError(t, err)
	load, err := w.Start(workload.Env{Machine: m, System: sys, Params: p})
	require.NoError(t, err)
	_, err = m.Run(context.Background(), machine.Course{
		Duration: 300 * time.Millisecond,
		Begin:    func() { sys.BeginWindow(); load.BeginWindow() },
		End:      func() { sys.EndWindow(); load.EndWindow() },
	})
	require.NoError(t, err)
	require.NoError(t, load.Err())
	require.Zero(t, sys.Ledger().Lost)
	n := (&ran{run: load.(*run)}).counts()
	require.Positive(t, n["verify.sectors"])
	require.Zero(t, n["verify.violations"])
	t.Log(n)
}
