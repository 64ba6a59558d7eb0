package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/experiment/spec"
)

var shown = regexp.MustCompile(`^lab [a-z]`)

// documented is every command line that the help and the documents show, in
// their order, since some make the file that the next one reads.
func documented(t *testing.T) []string {
	var out []string
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		out = append(out, strings.Split(c.Example, "\n")...)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.root())
	files, err := filepath.Glob("../*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "    ") {
				out = append(out, line)
			}
		}
	}
	var commands []string
	for _, line := range out {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		for part := range strings.SplitSeq(line, "&&") {
			if part = strings.TrimSpace(part); shown.MatchString(part) {
				commands = append(commands, part)
			}
		}
	}
	return commands
}

// remark is what a line of examples says behind its command.
var remark = regexp.MustCompile(`\s{2,}[a-z].*$`)

// long are commands that only parse here: what they do takes seconds or
// minutes, and other tests have it.
var long = []string{"fit", "verify", "soak", "evidence", "calibrate", "sim-vs-live", "profile", "record", "predict", "vet"}

// Every command line that is shown works, as it stands.
func TestDocumentedCommandsWork(t *testing.T) {
	commands := documented(t) // before the directory is another
	require.Greater(t, len(commands), 50)
	t.Chdir(t.TempDir())
	table := []byte("[[parameter]]\nname = \"cost.rmw\"\nvalue = \"10ns\"\n")
	require.NoError(t, os.WriteFile("costs.toml", table, 0o644))
	home := t.TempDir() // where this computer's own table is kept
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	this, err := spec.ThisCostsFile()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(this), 0o755))
	require.NoError(t, os.WriteFile(this, table, 0o644))
	for _, part := range []string{"1", "2"} {
		o := try(collapsing, "sweep", "--cores", "1,2", "--shard", part+"/2", "--resume", "part-"+part+".json")
		require.Zero(t, o.status, o.stderr)
	}
	for _, name := range []string{"before.json", "after.json"} {
		o := try(brief, "run", "--strategy", "ring", "--machine", "sim", "--duration", "1ms", "--format", "json", "--output", name)
		require.Zero(t, o.status, o.stderr)
	}
	for _, name := range []string{"before.txt", "after.txt"} {
		require.NoError(t, os.WriteFile(name, []byte(strings.Repeat("BenchmarkPush-8 1000 100 ns/op\n", 6)), 0o644))
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			line, _, _ := strings.Cut(command, " | ")
			line, into, _ := strings.Cut(line, ">")
			line = strings.ReplaceAll(remark.ReplaceAllString(line, ""), "part-*.json", "part-1.json part-2.json")
			line = strings.ReplaceAll(line, "--strategy S ", "--strategy ring ")
			words := strings.Fields(line)[1:]
			for _, l := range long {
				if words[0] == l {
					parses(t, words)
					return
				}
			}
			run := collapsing
			if words[0] == "reproduce" {
				run = new(fake).run
			}
			if words[0] == "run" && strings.Contains(line, "--machine sim") {
				// Really, and as short as it goes. A later flag counts.
				run, words = brief, append(words, "--duration", "300us")
			}
			if words[0] == "lock" {
				words = append(words, "--duration", "50us")
			}
			o := try(run, words...)
			require.Zero(t, o.status, o.stderr)
			require.NotContains(t, o.stderr, "legal: ")
			if into = strings.Trim(into, ` "`); into != "" && !strings.Contains(into, "/") {
				require.NoError(t, os.WriteFile(into, []byte(o.stdout), 0o644))
			}
		})
	}
}

// parses checks a command line without running it.
func parses(t *testing.T, words []string) {
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	cmd, rest, err := a.root().Find(words)
	require.NoError(t, err)
	require.NoError(t, cmd.ParseFlags(rest))
	require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()))
}

// Every make target that is shown is there.
func TestDocumentedTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	files, err := filepath.Glob("../*.md")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile("(?m)(?:`|^    )make ([a-z-]+)").FindAllSubmatch(text, -1) {
			assert.Regexp(t, `(?m)^`+string(m[1])+`:`, string(makefile), f)
		}
	}
}

// A newcomer learns from each flag what it does without it: the help prints a
// default, or the text says so.
func TestEveryFlagSaysItsDefault(t *testing.T) {
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	says := regexp.MustCompile(`without it|in place of the |all cases; may be repeated|May be repeated|may be repeated`)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || f.Name == "help" || f.DefValue != "" && f.DefValue != "[]" {
				return
			}
			text := f.Usage
			if c.Name() == "verify" && f.Name == "strategy" || c.Name() == "soak" && f.Name == "strategy" {
				return // must be given
			}
			assert.Regexp(t, says, text, "%s --%s", c.CommandPath(), f.Name)
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.root())
}

func TestSetCompletesParameters(t *testing.T) {
	for _, command := range []string{"run", "sweep", "compare", "reproduce", "verify"} {
		o := try(never(t), "__complete", command, "--set", "")
		assert.Contains(t, o.stdout, "mptsas.queuecommand=\n", command)
		assert.Contains(t, o.stdout, "\nscale=\n", command)
		assert.Contains(t, o.stdout, ":6\n", "no space behind, and no files: %s", command)
	}
}
