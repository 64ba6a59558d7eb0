package verify

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/machine/sim"
)

// sleeper holds a lock that no machine sees while it takes one that they see.
type sleeper struct {
	dispatch.Strategy
	mu sync.Mutex
}

func (s *sleeper) Release(t *machine.Thread, cmd *dispatch.Command) {
	s.mu.Lock()
	s.Strategy.Release(t, cmd)
	s.mu.Unlock()
}

// Each of the machines must end the process, which is one of its own here.
func TestAMutexEndsTheProcess(t *testing.T) {
	const env = "HOSTLOCK_TEST_HANG"
	if on := os.Getenv(env); on != "" {
		t.Fatal(sleepOn(on))
	}
	if testing.Short() {
		t.Skip("takes the ten seconds that a watch waits")
	}
	for _, on := range []string{"explore", "sim"} {
		t.Run(on, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestAMutexEndsTheProcess$", "-test.timeout=3m")
			cmd.Env = append(os.Environ(), env+"="+on)
			out, err := cmd.CombinedOutput()
			text := string(out)
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 1, exit.ExitCode(), text)
			require.Contains(t, text, "strategy sleeper has not come back to the machine for 10s: thread ")
			require.Contains(t, text, "in scenario ")
			require.Contains(t, text, "(*sleeper).Release")
			require.Equal(t, 1, strings.Count(text, "\ngoroutine "), text)
		})
	}
}

// sleepOn runs the sleeper on a machine, and returns why that came to an end.
func sleepOn(name string) error {
	host, err := dispatch.LookupStrategy("host-lock")
	if err != nil {
		return err
	}
	dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: "sleeper", New: func(h *dispatch.Host) (dispatch.Strategy, error) {
		s, err := host.New(h)
		return &sleeper{Strategy: s}, err
	}})
	if name == "explore" {
		_, err = Run(context.Background(), Config{Strategy: "sleeper", Seed: 1})
		return errors.Join(errors.New("came back"), err)
	}
	m, err := sim.New(sim.Config{Cores: 8, Sockets: 2, Seed: 1, Costs: sim.DefaultCosts()})
	if err != nil {
		return err
	}
	c := Config{Strategy: "sleeper", Threads: 8, Commands: 8, LUNs: 4, CanQueue: 5}
	_, err = Load(context.Background(), m, c, "plain", machine.Course{Duration: time.Second})
	return errors.Join(errors.New("came back"), err)
}
