package soak_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/dispatch"
	_ "hostlock/dispatch/lld"
	_ "hostlock/strategies"
	"hostlock/verify/soak"
)

// shipped are the strategies under test, apart from what other tests register.
var shipped = []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"}

// commandsVar gives the long form: HOSTLOCK_COMMANDS=1000000 go test -race
// ./verify/soak -run TestSoak
const commandsVar = "HOSTLOCK_COMMANDS"

// commands is how many to run, and whether they are as few as usual.
func commands(t *testing.T, usual int64) (n int64, few bool) {
	t.Helper()
	text := os.Getenv(commandsVar)
	if text == "" {
		return usual, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err, "%s", commandsVar)
	return n, false
}

// usual is how many commands a test runs. Under the race detector each takes
// twenty times as long.
func usual() int64 {
	if raceEnabled {
		return 10_000
	}
	return 60_000
}

// virtual leaves virtual time out under the race detector, which can see nothing
// there: coroutines order everything.
func virtual(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("virtual time has no races")
	}
}

// log has the report and every reading in the test's log.
type log struct{ t *testing.T }

func (l log) Write(p []byte) (int, error) { l.t.Logf("%s", p); return len(p), nil }

// TestSoak: faults of every kind, recoveries, tight limits; everything comes
// back once, and memory stays flat.
func TestSoak(t *testing.T) {
	for _, machine := range soak.Machines() {
		t.Run(machine, func(t *testing.T) {
			for _, strategy := range shipped {
				t.Run(strategy, func(t *testing.T) {
					defer goleak.VerifyNone(t)
					if machine == "sim" {
						virtual(t)
					}
					n, few := commands(t, usual())
					cfg := soak.Config{Strategy: strategy, Machine: machine, Commands: n, Seed: 1}
					if few {
						// As many faults as in a longer run.
						cfg.Set = map[string]string{
							"null.drop_rate": "0.001", "null.sense_rate": "0.001", "null.delay_rate": "0.001",
							"null.host_busy_rate": "0.002", "null.device_busy_rate": "0.002", "null.target_busy_rate": "0.002",
							"null.eh_retry_rate": "0.002", "null.queue_full_rate": "0.002",
						}
					} else {
						cfg.Progress = func(r soak.Reading) {
							t.Logf("%d commands in %v, live heap %d KiB", r.Commands, r.Elapsed, r.Heap>>10)
						}
					}
					r, err := soak.Run(t.Context(), cfg)
					require.NoError(t, err)
					require.NoError(t, r.Print(log{t}))
					require.Empty(t, r.Problems)
					require.True(t, r.Recovers)
					require.Positive(t, r.Errors.Recoveries)
					require.Positive(t, r.Errors.Retried)
					require.Len(t, r.Injected, 13)
					for _, f := range r.Injected {
						if f.Name == "not ready" || f.Name == "held up by the hang" {
							require.Zero(t, f.Value)
							continue
						}
						require.Positive(t, f.Value, f.Name)
					}
					for _, l := range r.Limits {
						require.Positive(t, l.Limit, l.What)
						if machine == "live" || few {
							continue // whether the limit is reached is for the scheduler to say, or for chance
						}
						require.Equal(t, l.Limit, l.Max, l.What)
					}
				})
			}
		})
	}
}

// TestWithoutFaults: nothing but the path, of which every command succeeds.
func TestWithoutFaults(t *testing.T) {
	for _, strategy := range shipped {
		t.Run(strategy, func(t *testing.T) {
			r, err := soak.Run(t.Context(), soak.Config{Strategy: strategy, Commands: usual(), NoFaults: true})
			require.NoError(t, err)
			require.Empty(t, r.Problems)
			require.False(t, r.Recovers)
			require.EqualValues(t, usual(), r.Ledger.Completed)
			require.Zero(t, r.Errors)
			for _, f := range r.Injected {
				require.Zero(t, f.Value, f.Name)
			}
		})
	}
}

// TestSameSeedSameRun: in virtual time a soak can be repeated.
func TestSameSeedSameRun(t *testing.T) {
	virtual(t)
	var first *soak.Report
	for range 2 {
		r, err := soak.Run(t.Context(), soak.Config{Strategy: "ring", Machine: "sim", Commands: 5000, Seed: 7})
		require.NoError(t, err)
		if first == nil {
			first = r
		}
		require.Equal(t, first.Ledger, r.Ledger)
		require.Equal(t, first.Injected, r.Injected)
		require.Equal(t, first.Errors, r.Errors)
	}
}

func TestRefusals(t *testing.T) {
	for what, cfg := range map[string]soak.Config{
		"strategy":  {Strategy: "none"},
		"driver":    {Strategy: "ring", Driver: "none"},
		"machine":   {Strategy: "ring", Machine: "explore"},
		"cores":     {Strategy: "ring", Machine: "live", Cores: 3},
		"commands":  {Strategy: "ring", Commands: 3},
		"threads":   {Strategy: "ring", Threads: -1},
		"depth":     {Strategy: "ring", Depth: soak.MaxDepth + 1},
		"parameter": {Strategy: "ring", Set: map[string]string{"none.such": "1"}},
		"value":     {Strategy: "ring", Set: map[string]string{"null.drop_rate": "2"}},
	} {
		r, err := soak.Run(t.Context(), cfg)
		require.Error(t, err, what)
		require.NotContains(t, err.Error(), "\n", what)
		require.Nil(t, r, what)
	}
}

// Every driver that has faults can be soaked, and one that has none.
func TestOtherDrivers(t *testing.T) {
	virtual(t)
	for _, d := range dispatch.Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			cfg := soak.Config{Strategy: "host-lock", Driver: d.Name, Machine: "sim", Commands: 20_000, Seed: 1}
			r, err := soak.Run(t.Context(), cfg)
			require.NoError(t, err)
			require.Empty(t, r.Problems)
		})
	}
}

// More requests than ring's queues have room for: 64 threads with 128 each on four
// devices of 1024. Whoever finds no room sleeps, and is woken.
func TestAFullQueueHoldsSubmitters(t *testing.T) {
	for _, on := range []string{"live", "sim"} {
		t.Run(on, func(t *testing.T) {
			if on == "sim" {
				virtual(t)
			}
			r, err := soak.Run(t.Context(), soak.Config{Strategy: "ring", Machine: on, Commands: 12_000, Threads: 64, Depth: 128, Seed: 1})
			require.NoError(t, err)
			c := r.Summary().Commands // so short a run grows all the time: nothing is said of its heap
			require.Equal(t, c.Issued, c.Completed+c.Failed)
			require.Zero(t, c.Lost)
		})
	}
}
