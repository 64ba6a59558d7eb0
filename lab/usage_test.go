package lab

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every wrong request ends with status 2, one line that says what is legal or
// where to find it, and nothing on stdout.
func TestWrongRequests(t *testing.T) {
	dir := t.TempDir()
	wrongKey := file(t, "wrong.toml", "name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 2\nthreds = 4\n")
	wrongWorkload := file(t, "w", "this is no workload\n")
	noTable := file(t, "mine.toml", "name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 2\n")
	noCase := file(t, "case.toml", "name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 2\nsource = \"chen-2010\"\n")
	other := strconv.Itoa(runtime.GOMAXPROCS(0) + 1)
	for args, want := range map[string]string{
		"bogus":              `unknown command "bogus"; legal: profile, run, reproduce, compare, fit, sweep, lock, record, predict, merge, `,
		"--bogus":            `unknown flag: --bogus; see 'lab --help'`,
		"whatif --set a=1":   `lab whatif is lab compare now; legal: lab compare`,
		"comapre a b":        `help; did you mean compare?`,
		"run --stratgy ring": `unknown flag: --stratgy; see 'lab run --help'; did you mean --strategy?`,
		"run --machine sim --set mptsas.quecommand=1us": `unknown parameter "mptsas.quecommand"; legal: mptsas.queuecommand, `,
		"run --set quecommand=1us --machine sim":        `unknown parameter "quecommand"; legal: mptsas.queuecommand, `,
		"run --machine sim --set luns_per_hba=24":       `--set unknown parameter "luns_per_hba"; legal: luns_per_hba = ... at the head of an experiment's file`,
		"run --strategy hostlok":                        `; did you mean host-lock?`,
		"run --experiment cmd-per-lan":                  `; did you mean cmd-per-lun?`,
		"run --bogus":                                   `unknown flag: --bogus; see 'lab run --help'`,
		"run extra":                                     `unexpected "extra"; lab run takes flags only`,
		"run --strategy":                                `flag needs an argument: --strategy; see 'lab run --help'`,
		"run --strategy rign":                           `unknown strategy "rign"; legal: host-lock, `,
		"run --driver mptsos":                           `unknown driver "mptsos"; legal: `,
		"run --workload headlne":                        `unknown workload "headlne", and no such file; legal: `,
		"run --workload " + wrongWorkload:               `:1: not a workload of any known kind; legal: `,
		"run --experiment headlne":                      `unknown experiment "headlne", and no such file; legal: chen-2010, cmd-per-lun`,
		"run --experiment " + dir:                       `is a directory; legal: a TOML file`,
		"run --experiment " + wrongKey:                  wrongKey + `:6: unknown key "threds"; legal: name, `,
		"run --machine gpu":                             `unknown machine "gpu"; legal: live, sim`,
		"run --cores 0":                                 `--cores "0": legal: a whole number, 1 to 4096`,
		"run --cores -1":                                `--cores "-1": legal: a whole number, 1 to 4096`,
		"run --cores 1.5":                               `--cores "1.5": legal: a whole number, 1 to 4096`,
		"run --cores 100000":                            `--cores "100000": legal: a whole number, 1 to 4096`,
		"run --machine live --cores " + other:           `--cores ` + other + ` on machine live, which has the`,
		"run --threads 0":                               `--threads "0": legal: a whole number, 1 to 1048576`,
		"run --duration 0":                              `--duration "0": too short; legal: more than 0, up to 24h; or profile`,
		"run --duration 0s":                             `--duration "0s": too short`,
		"run --duration -1s":                            `--duration "-1s": too short`,
		"run --duration 3":                              `--duration "3": not a duration; legal: a number and ns, us, ms, s, m or h`,
		"run --duration 100h":                           `--duration "100h": too long; legal: up to 24h`,
		"run --duration NaNs":                           `--duration "NaNs": not a duration`,
		"run --seed -1":                                 `--seed "-1": legal: a whole number, 0 or more`,
		"run --seed x":                                  `--seed "x": legal: a whole number, 0 or more`,
		"run --seed 99999999999999999999":               `--seed "99999999999999999999": legal: `,
		"run --set x":                                   `--set "x": legal: name=value, such as `,
		"run --set scale=0":                             `--set scale=0; legal: a number more than 0`,
		"run --set scale=-1":                            `--set scale=-1; legal: a number more than 0`,
		"run --weak --set scale=2":                      `--weak and --set scale= both set the scale; legal: one of them`,
		"run --weak=maybe":                              `--weak "maybe"; legal: true or false`,
		"run --format yaml":                             `unknown format "yaml"; legal: text, json, csv, markdown, lockstat`,
		"reproduce nothing":                             `unknown experiment "nothing", and no such file; legal: chen-2010, cmd-per-lun`,
		"reproduce --format lockstat":                   `format "lockstat" has no place for a published table; legal: text, json, csv, markdown`,
		"reproduce --set x":                             `--set "x": legal: name=value`,
		"reproduce --duration profile":                  `--duration "profile": not a duration; legal: `,
		"reproduce " + noTable:                          `has no published table (source = ...); legal: chen-2010, cmd-per-lun`,
		"reproduce " + noCase:                           noCase + `:6: published table chen-2010 needs a [[case]] named before`,
		"list":                                          `no list named; legal: strategies, workloads, drivers, experiments, locks`,
		"list planets":                                  `unknown list "planets"; legal: strategies, workloads, drivers, experiments, locks`,
		"list locks drivers":                            `unexpected "drivers" behind "locks"`,
		"list locks --format xml":                       `--format "xml": legal: text, json`,
		"show":                                          `nothing named to show; legal: experiment, driver, workload`,
		"show planet earth":                             `nothing to show of kind "planet"; legal: experiment, driver, workload`,
		"show driver":                                   `show driver takes one name; legal: `,
		"show driver mptsas null":                       `show driver takes one name`,
		"show driver nope":                              `unknown driver "nope"; legal: `,
		"show experiment nope":                          `unknown experiment "nope"`,
		"show workload nope":                            `unknown workload "nope"`,
		"version 2":                                     `unexpected "2"; lab version takes flags only`,
		"completion":                                    `no shell named; legal: bash, zsh, fish, powershell`,
		"completion tcsh":                               `unknown shell "tcsh"; legal: bash, zsh, fish, powershell`,
		"run --output " + dir:                           `--output ` + dir + `: is a directory; legal: a file`,
		"run --output " + noCase + "/x":                 noCase + ` is not a directory`,
		"reproduce --output " + noCase + "/x":           noCase + ` is not a directory`,
		"run --profiles " + noCase:                      noCase + ` is not a directory`,
		"sweep --plot " + dir:                           `--plot ` + dir + `: is a directory; legal: a file`,
		"profile --results " + noCase + "/x":            noCase + ` is not a directory`,
		"evidence chen-2010 max-sge":                    `unexpected "max-sge" behind "chen-2010"; see 'lab evidence --help'`,
		"sim-vs-live --shares x":                        `--shares "x": legal: numbers with commas, each more than 0, up to 45`,
		"sim-vs-live --shares 10,90":                    `--shares "10,90": legal: numbers with commas, each more than 0, up to 45`,
		"help nothing":                                  `no help on "nothing"; legal: profile, run, reproduce, compare, fit, sweep, `,
	} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			o := try(never(t), strings.Fields(args)...)
			assert.Equal(t, 2, o.status)
			assert.Empty(t, o.stdout)
			require.Len(t, o.lines(), 1, o.stderr)
			assert.True(t, strings.HasPrefix(o.stderr, "lab: "), o.stderr)
			assert.Contains(t, o.stderr, want)
		})
	}
}

func TestEveryFaultOfAFileIsALine(t *testing.T) {
	path := file(t, "x.toml", "name = \"x\"\nstrategy = \"ring\"\ndriver = \"null\"\nworkload = \"headline\"\ncores = 0\nseed = -1\n")
	o := try(never(t), "run", "--experiment", path)
	assert.Equal(t, 2, o.status)
	assert.Equal(t, []string{
		"lab: " + path + ":5: cores=0: out of range; legal: 1 to 4096",
		"lab: " + path + ":6: seed=-1: negative; legal: a whole number, 0 or more",
	}, o.lines())
}

func TestAWrongRequestLeavesNoFile(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.json")
	o := try(never(t), "run", "--output", out, "--cores", "0")
	assert.Equal(t, 2, o.status)
	assert.NoFileExists(t, out)
}
