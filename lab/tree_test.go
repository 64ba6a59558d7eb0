package lab

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	"hostlock/experiment/spec"
	"hostlock/results"
	"hostlock/workload"
)

// syncBuffer is written by two goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Every command has a group, a line, an example, and help on stdout.
func TestEveryCommandHasHelp(t *testing.T) {
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	root := a.root()
	root.InitDefaultHelpCmd()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		assert.NotEmpty(t, c.Short, c.CommandPath())
		assert.NotEmpty(t, c.Example, c.CommandPath())
		if c.HasParent() {
			assert.NotEmpty(t, c.GroupID, c.CommandPath())
			words := append(strings.Fields(c.CommandPath())[1:], "--help")
			byFlag := try(never(t), words...)
			byWord := try(never(t), append([]string{"help"}, words[:len(words)-1]...)...)
			assert.Zero(t, byFlag.status)
			assert.Empty(t, byFlag.stderr)
			assert.Contains(t, byFlag.stdout, "Examples:")
			assert.Equal(t, byFlag, byWord, c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

func TestNoCommandIsHelp(t *testing.T) {
	o := try(never(t))
	assert.Zero(t, o.status)
	core, more := strings.Index(o.stdout, "To begin with:"), strings.Index(o.stdout, "More:")
	assert.True(t, 0 < core && core < more)
	run := strings.Index(o.stdout, "\n  run ")
	assert.True(t, core < run && run < more, "run is among the first")
	assert.Equal(t, o, try(never(t), "help"))
	assert.Equal(t, o, try(never(t), "--help"))
}

// The flags that the command line promises are all there.
func TestContractFlags(t *testing.T) {
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	for command, flags := range map[string]string{
		"run":       "strategy experiment workload driver machine cores threads duration seed weak set profiles format",
		"reproduce": "format",
	} {
		c, _, err := a.root().Find([]string{command})
		require.NoError(t, err)
		for _, f := range strings.Fields(flags) {
			assert.NotNil(t, c.Flags().Lookup(f), "lab %s --%s", command, f)
		}
	}
}

func TestVersion(t *testing.T) {
	o := try(never(t), "version")
	assert.Zero(t, o.status)
	assert.True(t, strings.HasPrefix(o.stdout, "lab "), o.stdout)
	assert.Contains(t, o.stdout, "go1.")
	assert.Equal(t, o, try(never(t), "--version"))
}

func TestLists(t *testing.T) {
	for _, kind := range kindNames() {
		o := try(never(t), "list", kind)
		assert.Zero(t, o.status)
		assert.Empty(t, o.stderr)
		var list []entry
		j := try(never(t), "list", kind, "--format", "json")
		require.NoError(t, json.Unmarshal([]byte(j.stdout), &list))
		assert.NotEmpty(t, list, kind)
		for _, e := range list {
			assert.NotEmpty(t, e.About, "%s %s", kind, e.Name)
			assert.Contains(t, o.stdout, e.Name)
		}
		assert.Len(t, strings.Split(strings.TrimSpace(o.stdout), "\n"), len(list))
	}
	assert.Subset(t, names("strategies"), []string{"host-lock", "unlocked-qcmds", "per-queue", "ring"})
	assert.Subset(t, names("drivers"), []string{"mptsas", "ramdisk", "null"})
	assert.Contains(t, names("workloads"), "headline")
}

// What show prints can be used as it is.
func TestShownFilesAreLegal(t *testing.T) {
	for _, name := range names("experiments") {
		o := try(never(t), "show", "experiment", name)
		require.Zero(t, o.status, o.stderr)
		s, err := spec.Parse("copy.toml", []byte(o.stdout))
		require.NoError(t, err)
		assert.Equal(t, name, s.Name)
	}
	head := "name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 2\n"
	for _, name := range names("drivers") {
		o := try(never(t), "show", "driver", name)
		require.Zero(t, o.status, o.stderr)
		s, err := spec.Parse("copy.toml", []byte(head+o.stdout))
		require.NoError(t, err)
		d, err := dispatch.LookupDriver(name)
		require.NoError(t, err)
		assert.Len(t, s.Parameters, 9+len(d.Params)+len(failureParams), "the template, the driver's own, and what happens when commands fail")
	}
	for _, name := range names("workloads") {
		o := try(never(t), "show", "workload", name)
		require.Zero(t, o.status, o.stderr)
		path := file(t, "copy", o.stdout)
		_, err := workload.Load(path)
		assert.NoError(t, err)
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range shells {
		o := try(never(t), "completion", shell)
		assert.Zero(t, o.status)
		assert.Empty(t, o.stderr)
		assert.Greater(t, len(o.stdout), 1000, shell)
	}
}

func TestCompletionKnowsTheNames(t *testing.T) {
	var formats []string
	for _, f := range results.Formats() {
		formats = append(formats, f.Name)
	}
	for args, want := range map[string][]string{
		"":                       {"run", "reproduce", "list", "show", "version", "completion", "help"},
		"run --strategy ":        names("strategies"),
		"run --experiment ":      names("experiments"),
		"run --driver ":          names("drivers"),
		"run --workload ":        names("workloads"),
		"run --machine ":         {"live", "sim"},
		"run --format ":          formats,
		"run --duration ":        {"profile"},
		"reproduce ":             names("experiments"),
		"reproduce --format ":    {"text", "json", "csv", "markdown"},
		"list ":                  kindNames(),
		"list locks --format ":   {"text", "json"},
		"list parameters ":       {"mptsas.queuecommand", "scale"},
		"show ":                  {"experiment", "driver", "workload"},
		"show driver ":           names("drivers"),
		"show experiment ":       names("experiments"),
		"completion ":            shells,
		"help ":                  {"run", "reproduce"},
		"run --strategy ring --": {"--cores", "--seed"},
	} {
		words := strings.Split(args, " ")
		o := try(never(t), append([]string{"__complete"}, words...)...)
		assert.Zero(t, o.status)
		var got []string
		for line := range strings.Lines(o.stdout) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got = append(got, name)
		}
		for _, w := range want {
			assert.Contains(t, got, w, "lab %s", args)
		}
	}
}

// Whatever --set takes is listed, with what the value of it is.
func TestListOfParameters(t *testing.T) {
	o := try(never(t), "list", "parameters")
	require.Zero(t, o.status, o.stderr)
	assert.Equal(t, len(names(parametersKind)), strings.Count(o.stdout, "\n"))
	o = try(never(t), "list", "parameters", "mptsas.queue")
	assert.Regexp(t, `^mptsas.queue_full_rate +0 +number +share .*legal: 0 to 1\nmptsas.queuecommand +1us +time +mean work .*\nmptsas.queuecommand_cv +0.3 +number .*\n$`, o.stdout)
	o = try(never(t), "list", "parameters", "sched", "--format", "json")
	assert.Contains(t, o.stdout, `"default": "idle-core",`)
	for command, want := range map[string]string{
		"list parameters nosuch":     `lab: no parameter's name holds "nosuch"; legal: a part of one that 'lab list parameters' has`,
		"list locks ticket":          `lab: unexpected "ticket" behind "locks"; see 'lab list --help'`,
		"list parameters a b":        `lab: unexpected "a" behind "parameters"; see 'lab list --help'`,
		"run --set queuecommand=1us": `lab: --set unknown parameter "queuecommand"; legal: mptsas.queuecommand, `,
	} {
		o := try(brief, strings.Fields(command)...)
		assert.Equal(t, exitUsage, o.status, command)
		assert.Contains(t, o.stderr, want, command)
	}
}

// An algorithm that only one machine has says which.
func TestListOfLocksNamesTheMachine(t *testing.T) {
	o := try(never(t), "list", "locks")
	for _, want := range []string{`ticket +machine sim: `, `tas +machine live or sim: `, `mutex +machine live: `, `rwmutex +lab lock: `} {
		assert.Regexp(t, want, o.stdout)
	}
}
