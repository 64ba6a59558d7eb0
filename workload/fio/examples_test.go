package fio

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/sim"
	"hostlock/workload"
)

// TestExamples tries the job files of a folder, such as fio's own examples, where
// HOSTLOCK_FIO_EXAMPLES names one (make fio-examples): each runs for a while, or is
// refused at a line of it.
func TestExamples(t *testing.T) {
	dir := os.Getenv("HOSTLOCK_FIO_EXAMPLES")
	if dir == "" {
		t.Skip("HOSTLOCK_FIO_EXAMPLES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.fio"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	ran := 0
	for _, file := range files {
		w, err := workload.Load(file)
		if err != nil {
			t.Logf("refused  %s", strings.TrimPrefix(err.Error(), dir+"/"))
			require.Regexp(t, `:\d+: `, err.Error())
			require.Contains(t, err.Error(), "; legal: ")
			continue
		}
		m, err := sim.New(sim.Config{Cores: 8, Seed: 1, Costs: sim.DefaultCosts()})
		require.NoError(t, err)
		p, err := dispatch.NewParams("ramdisk")
		require.NoError(t, err)
		p.Declare(w.Params()...)
		require.NoError(t, p.Set("device.capacity", "4096g"))
		sys, err := dispatch.New(m, dispatch.Config{Strategy: "per-queue", Driver: "ramdisk", Params: p, Targets: 26})
		require.NoError(t, err)
		r, err := w.Start(workload.Env{Machine: m, System: sys, Params: p})
		if err != nil {
			t.Logf("refused  %s: %v", filepath.Base(file), err)
			require.Contains(t, err.Error(), "; legal: ")
			continue
		}
		_, err = m.Run(context.Background(), machine.Course{Duration: 20 * time.Millisecond, Begin: r.BeginWindow, End: r.EndWindow})
		require.NoError(t, err, file)
		require.NoError(t, r.Err(), file)
		require.Zero(t, sys.Ledger().Lost, file)
		ran++
		ops := r.Operations()
		t.Logf("runs     %s: %d reads, %d writes%s", filepath.Base(file), ops[0].Value, ops[2].Value, strings.Join(append([]string{""}, w.Warnings()...), "; "))
	}
	t.Logf("%d of %d run", ran, len(files))
}
