package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment"
	"hostlock/machine/param"
	"hostlock/results"
)

// withSettings runs the small load with settings such as "lock.queue_lock=queued".
func withSettings(t *testing.T, strategy string, settings ...string) *results.Result {
	t.Helper()
	o := small()
	o.Strategy = strategy
	for _, text := range settings {
		v, err := param.ParseSetting(text)
		require.NoError(t, err)
		o.Set = append(o.Set, v)
	}
	r, err := do(context.Background(), headline(t), o)
	require.NoError(t, err)
	return r
}

// parameter is what a result says that a parameter was; nil where it does not.
func parameter(r *results.Result, name string) any {
	for _, p := range r.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// Every class of lock that a run has can be given an algorithm.
func TestEveryLockClassIsKnown(t *testing.T) {
	known := experiment.LockClasses()
	for _, name := range []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"} { // and none of a test's
		for _, driver := range []string{"mptsas", "lpfc", "megasas", "null"} {
			o := small()
			o.Strategy, o.Driver = name, driver
			r, err := do(context.Background(), headline(t), o)
			require.NoError(t, err)
			for _, l := range r.Locks {
				assert.Contains(t, known, l.Class, "%s %s", name, driver)
			}
		}
	}
}

func TestALockClassHasTheKindThatItIsGiven(t *testing.T) {
	plain := withSettings(t, "host-lock")
	assert.Nil(t, parameter(plain, "lock.queue_lock"), "nobody asked")
	assert.Equal(t, "ticket", parameter(plain, "lock.host_lock"))

	one := withSettings(t, "host-lock", "lock.queue_lock=mcs")
	assert.Equal(t, "queued", parameter(one, "lock.queue_lock"), "mcs is another name of it")
	assert.Equal(t, "ticket", parameter(one, "lock.host_lock"))

	all := withSettings(t, "host-lock", "lock.default=tas")
	assert.Equal(t, "tas", parameter(all, "lock.host_lock"))
	assert.NotEqual(t, plain.CPU.HostLock, all.CPU.HostLock)
	assert.Equal(t, withSettings(t, "host-lock", "lock.default=tas", "lock.host_lock=ticket").CPU.HostLock,
		withSettings(t, "host-lock", "lock.queue_lock=tas", "lock.list_lock=tas", "lock.free_list_lock=tas", "lock.FreeQ=tas", "lock.lookup_lock=tas").CPU.HostLock)
}

func TestAKindInVainIsNamed(t *testing.T) {
	assert.True(t, said(withSettings(t, "ring", "lock.queue_lock=tas"), "lock.queue_lock=tas changes nothing here"))
	assert.False(t, said(withSettings(t, "host-lock", "lock.queue_lock=tas"), "changes nothing here"))
}

func TestWrongKinds(t *testing.T) {
	for _, v := range []param.Setting{
		{Name: "lock.queue_lock", Value: "mutex", At: param.SetFlag}, // no handler can sleep
		{Name: "lock.queue_lock", Value: "planet", At: param.SetFlag},
		{Name: "lock.quue_lock", Value: "tas", At: param.SetFlag},
	} {
		o := small()
		o.Set = []param.Setting{v}
		_, err := experiment.NewPlan(headline(t), o)
		assert.ErrorContains(t, err, "legal: ", v.String())
	}
}
