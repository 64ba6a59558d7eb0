package lab

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment"
	"hostlock/machine"
	"hostlock/results"
)

// planted is where the strategy of this file panics; "" is nowhere.
var planted string

func init() {
	dispatch.RegisterStrategy(dispatch.StrategyInfo{
		Name: "planted", About: "panics where a test wants it to",
		New: func(h *dispatch.Host) (dispatch.Strategy, error) {
			if planted == "New" {
				panic("planted in New")
			}
			if planted == "nothing" {
				return nil, nil
			}
			inner, err := dispatch.LookupStrategy("per-queue")
			if err != nil {
				return nil, err
			}
			s, err := inner.New(h)
			return plantedStrategy{s}, err
		},
	})
}

type plantedStrategy struct{ dispatch.Strategy }

func (p plantedStrategy) End(t *machine.Thread, cmd *dispatch.Command) {
	switch planted {
	case "index":
		var none []int
		none[len(planted)]++
	case "nil":
		var cmd *dispatch.Command
		cmd.Tag++
	case "twice":
		p.Strategy.Release(t, cmd)
	}
	p.Strategy.End(t, cmd)
}

func TestAPanicIsReportedAsABug(t *testing.T) {
	o := try(func(context.Context, *experiment.Plan, experiment.Options) (*results.Result, error) {
		panic("oh\nno")
	}, "run", "--machine", "sim", "--set", "fs.cpu= 1us")
	assert.Equal(t, 1, o.status)
	assert.Empty(t, o.stdout)
	require.Greater(t, len(o.lines()), 6)
	assert.Equal(t, []string{
		"lab: this is a bug in the lab, not in your request: please report it",
		"lab: what happened: panic: oh no",
	}, o.lines()[:2])
	assert.Contains(t, o.lines()[2], "lab: where: hostlock/lab.TestAPanicIsReportedAsABug.func1, ")
	assert.Contains(t, o.stderr, "\nlab: command: go run ./cmd/lab run --machine sim --set \"fs.cpu= 1us\"\n")
	assert.Contains(t, o.stderr, "\nlab: version: lab ")
	assert.Contains(t, o.stderr, "\nlab: report the lines above, and the stack:\ngoroutine ")
}

// A strategy's panic ends the process in one way, wherever it happens. (This
// package counts as the lab's own; whose fault a user's is, TestWhoseFault
// says.)
func TestAPlantedPanicEndsInOneBlock(t *testing.T) {
	defer func() { planted = "" }()
	for _, where := range []string{"New", "index", "nil", "twice"} {
		for _, command := range []string{
			"run --strategy planted --machine sim --duration 5ms",
			"run --strategy planted --machine live --duration 50ms --set live.derive=false",
			"sweep --strategy ring,planted --cores 1,2 --duration 5ms",
			"compare ring planted --cores 2 --duration 5ms --no-sets",
			"soak --strategy planted --machine sim --commands 100",
			"soak --strategy planted --commands 100",
			"profile --experiment EXPERIMENT --no-live --duration 5ms --profiles DIR --results DIR",
		} {
			if strings.HasPrefix(command, "soak") && where == "New" {
				continue // is a wrong request there
			}
			if strings.Contains(command, "live --") && where != "index" {
				continue // takes a second each
			}
			planted = where
			command = strings.ReplaceAll(strings.ReplaceAll(command, "DIR", t.TempDir()), "EXPERIMENT", "chen-2010")
			o := try(brief, strings.Fields(command)...)
			require.Equal(t, exitFailed, o.status, "%s, %s: %s", where, command, o.stderr)
			require.Equal(t, 1, strings.Count(o.stderr, "this is a bug"), "%s, %s: %s", where, command, o.stderr)
			require.Contains(t, o.stderr, "\nlab: run: strategy planted, driver ", "%s, %s", where, command)
			require.Regexp(t, `, seed [123]\n`, o.stderr, "%s, %s", where, command)
			require.Contains(t, o.stderr, "\nlab: report the lines above, and the stack:\ngoroutine ")
			if where != "New" {
				require.Contains(t, o.stderr, "lab.plantedStrategy.End", "the stack is that of the panic: %s", o.stderr)
			}
		}
	}
}

func TestWhoseFault(t *testing.T) {
	stack := func(frames ...string) string {
		var b strings.Builder
		b.WriteString("goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/stack.go:26 +0x5e\nhostlock/machine.Caught({0x1, 0x2}, 0x3)\n\t/h/panicked.go:20 +0x1\n")
		b.WriteString("main.(*mine).recovers(0x1)\n\t/m/main.go:3 +0x1\npanic({0x6a0a40?, 0x7}?)\n\t/go/panic.go:783 +0x132\n")
		for _, f := range frames {
			b.WriteString(f + "(0x1, {0x2, 0x3})\n\t/src/" + f + ".go:7 +0x12\n")
		}
		b.WriteString("created by iter.Pull\n\t/go/iter.go:1 +0x1\n")
		return b.String()
	}
	f := faultOf(stack("runtime.goPanicIndex", "example.com/mylock.(*lock).Finish", "hostlock/dispatch.(*Host).complete"))
	assert.Equal(t, "example.com/mylock.(*lock).Finish, /src/example.com/mylock.(*lock).Finish.go:7", f.where)
	assert.Equal(t, []string{"example.com/mylock.(*lock).Finish", "hostlock/dispatch.(*Host).complete"}, f.frames)
	assert.Equal(t, "example.com/mylock", packageName(f.frames[0]))
	assert.Equal(t, "main", packageName("main.(*mine).Finish.func1"))
	assert.Empty(t, f.strategy("ring"), "nobody registered a strategy from there")
	assert.False(t, f.visited("ring"))
	assert.Equal(t, fault{}, faultOf(""))
}

func TestAStrategyThatIsNoneIsRefused(t *testing.T) {
	planted = "nothing"
	defer func() { planted = "" }()
	for _, args := range [][]string{
		{"run", "--machine", "sim", "--strategy", "planted"}, {"verify", "--strategy", "planted"}, {"soak", "--strategy", "planted"},
	} {
		var stdout, stderr strings.Builder
		assert.Equal(t, 2, newApp(&stdout, &stderr).main(args), args)
		assert.Contains(t, stderr.String(), "strategy planted: New returned no strategy", args)
	}
}

// A rule that the path sees broken is its strategy's fault, whoever is on the
// stack; so is a word that is used before it is made.
func TestABrokenRuleIsTheStrategys(t *testing.T) {
	const stack = "goroutine 1 [running]:\npanic({0x1})\n\t/go/panic.go:1\n%s"
	frames := func(names ...string) string {
		var b strings.Builder
		for i, n := range names {
			fmt.Fprintf(&b, "%s(0x1)\n\t/src/file.go:%d +0x1\n", n, i+1)
		}
		return fmt.Sprintf(stack, b.String())
	}
	report := bugReport(&experiment.Bug{Panic: &machine.Panicked{
		Value: &dispatch.Broken{Strategy: "mine", Verb: "Release", Place: "mine.go:7", Rule: "forgets something"},
		Stack: frames("hostlock/dispatch.(*Host).fault", "hostlock/dispatch.(*Host).DeviceUnbusy"),
	}}, nil)
	assert.Contains(t, report, "this is a bug in strategy mine,")
	assert.Contains(t, report, "Release (mine.go:7) forgets something")
	assert.NotContains(t, report, "bug in the lab")

	f := faultOf(frames("hostlock/machine.(*Word).before", "hostlock/machine.(*Word).Add", "example.com/mine.(*limit).Take")).outside("hostlock/machine.")
	assert.Equal(t, "example.com/mine.(*limit).Take, /src/file.go:3", f.where)
}
