package experiment_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/experiment/spec"
)

// TestAUsersStrategyIsJudgedByWhatItCan: a strategy from elsewhere that drops the
// host lock is refused for a driver that relies on it, as the shipped one is, and
// is no legal choice; and it is told where a value does nothing under it.
func TestAUsersStrategyIsJudgedByWhatItCan(t *testing.T) {
	shipped, err := dispatch.LookupStrategy("unlocked-qcmds")
	require.NoError(t, err)
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "users/drops", About: "for a test: drops the host lock, has no list", DropsHostLock: true, Recovers: true, New: shipped.New,
	})
	dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: "users/keeps", About: "for a test: holds it", Recovers: true, New: shipped.New})
	exp, err := spec.Load("cmd-per-lun")
	require.NoError(t, err)

	_, err = do(context.Background(), exp, experiment.Request{Driver: "mac_scsi_2635", Strategy: "users/drops"})
	var usage *spec.UsageError
	require.ErrorAs(t, err, &usage)
	require.ErrorContains(t, err, "strategy users/drops drops")
	require.Regexp(t, "legal: .*users/keeps", err.Error())
	require.NotRegexp(t, "legal: .*users/drops", err.Error())

	r, err := do(context.Background(), exp, experiment.Request{
		Driver: "mac_scsi_2635", Strategy: "users/keeps", Duration: 5 * time.Millisecond, Set: settings("midlayer.historic_target_bug=true"),
	})
	require.NoError(t, err)
	require.Contains(t, r.Warnings, "midlayer.historic_target_bug=true changes nothing here: strategy users/keeps has no starved list that is kept as 2.6.35 did")
}
