package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a hostile yet fair user has met once: one line that says what is legal,
// status 2, and nothing on stdout.
func TestRequestsThatWereMetBadlyOnce(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	costs := write("costs.toml", "nme = 3\n[[parameter]]\nname = \"cost.rmw\"\nvalue = \"10ns\"\n")
	sim := "run --machine sim --duration 1ms "
	for command, want := range map[string]string{
		sim + "--costs " + costs:                  `lab: ` + costs + `:1: unknown key "nme" in a cost table; legal: name, title, like, [[parameter]]; did you mean name?`,
		sim + "--costs " + dir + "/no":            `lab: --costs ` + dir + `/no: no such table, and no such file; legal: arm-graviton2, x86-2010-4s, x86-lockhammer-2s, x86-skylake-2s, this, or a file that 'lab show costs' or 'lab calibrate' wrote`,
		"run --machine live --costs " + costs:     `lab: --costs ` + costs + ` on machine live, whose costs are this computer's own; legal: --machine sim`,
		sim + "--kind mutex":                      `lab: --kind mutex on machine sim; legal: ticket, tas, queued, ttas, or --machine live`,
		"run --machine live --kind ticket":        `lab: --kind ticket on machine live; legal: tas, mutex, or --machine sim`,
		sim + "--kind foo":                        `lab: --kind foo on machine sim; legal: ticket, tas, queued, ttas`,
		sim + "--set lock.host_lock=mutex":        `lab: --set lock.host_lock=mutex on machine sim; legal: ticket, tas, queued, ttas, or --machine live`,
		sim + "--set lock.host_lock=foo":          `lab: --set lock.host_lock=foo on machine sim; legal: ticket, tas, queued, ttas`,
		sim + "--set mptsas.queuecommand=1e300us": `lab: --set mptsas.queuecommand=1e300us: out of range; legal: up to 24h0m0s`,
		sim + "--set host.can_queue=1e9":          `lab: --set host.can_queue=1e9: not a whole number; legal: -1 to 1048576`,
		"run --experiment transfer-size --machine sim --duration 1ms --set host.sg_tablesize=2000": `lab: --set host.sg_tablesize=2000: driver lpfc: sg_tablesize 2000; legal: 1 to 1024 with midlayer.large_sg=true; the kernel does not build with more`,
		"run --experiment " + write("bom.toml", "\xef\xbb\xbfname = 1"):                            `lab: ` + dir + `/bom.toml:1: the file begins with a byte order mark; legal: TOML in UTF-8 without a byte order mark`,
		"run --experiment " + write("u16.toml", "\xff\xfen\x00"):                                   `lab: ` + dir + `/u16.toml:1: the file is UTF-16; legal: TOML in UTF-8 without a byte order mark`,
		"run --experiment " + write("nul.toml", "name = \x00"):                                     `lab: ` + dir + `/nul.toml:1: the file holds a NUL byte, as no text does; legal: TOML in UTF-8 without a byte order mark`,
		sim + "--workload " + write("bom.dd", "\xef\xbb\xbfdd if=/dev/sda"):                        `lab: ` + dir + `/bom.dd:1: the file begins with a byte order mark; legal: plain text without one`,
		sim + "--output " + filepath.Join(dir, strings.Repeat("x", 300)):                           `lab: --output ` + filepath.Join(dir, strings.Repeat("x", 300)) + `: file name too long`,
		"merge " + write("list.json", "[1]"):                                                       `lab: ` + dir + `/list.json: is no JSON object: line 1: a JSON array`,
		"merge " + write("empty.json", ""):                                                         `lab: ` + dir + `/empty.json: is no JSON object: the file is empty`,
	} {
		o := try(brief, strings.Fields(command)...)
		assert.Equal(t, exitUsage, o.status, command)
		assert.Empty(t, o.stdout, command)
		assert.Equal(t, []string{want}, o.lines(), command)
	}
}

// A device without an end is refused before it has filled the memory.
func TestAFileWithoutAnEnd(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no such device here")
	}
	for _, command := range []string{
		"run --experiment /dev/zero", "run --workload /dev/zero", "run --machine sim --costs /dev/zero",
	} {
		o := try(brief, strings.Fields(command)...)
		assert.Equal(t, exitUsage, o.status, command)
		assert.Contains(t, o.stderr, "is a device", command)
	}
}

// A copied experiment runs from wherever it was copied to.
func TestACopiedExperimentFindsItsWorkload(t *testing.T) {
	o := try(never(t), "show", "experiment", "chen-2010")
	mine := file(t, "mine.toml", o.stdout)
	o = try(brief, "run", "--experiment", mine, "--machine", "sim", "--duration", "1ms")
	assert.Zero(t, o.status, o.stderr)
}

func TestWhatChangesNothingIsSaid(t *testing.T) {
	o := try(brief, "run", "--machine", "sim", "--duration", "1ms", "--set", "megasas.max_sge=3", "--output", os.DevNull)
	assert.Zero(t, o.status)
	assert.Contains(t, o.stderr, "lab: warning: megasas.max_sge=3 changes nothing here: driver mptsas, workload headline and machine sim do not read it\n")
}

// A value that another one, or the strategy, makes idle is legal, and said to be.
func TestWhatAnotherValueMakesIdleIsSaid(t *testing.T) {
	const sim = "run --machine sim --duration 1ms --output " + os.DevNull + " "
	const handling = " changes nothing here: no error is handled without midlayer.error_handling=true\n"
	for command, want := range map[string]string{
		"--strategy ring --kind tas":                                     "lock.host_lock=tas changes nothing here: strategy ring has no host lock\n",
		"--strategy ring --set lock.host_lock=queued":                    "lock.host_lock=queued changes nothing here: strategy ring has no host lock\n",
		"--set mptsas.delay_rate=0.1":                                    "mptsas.delay_rate=0.1 changes nothing here: mptsas.delay is 0\n",
		"--set mptsas.hang_at=1ms":                                       "mptsas.hang_at=1ms changes nothing here: mptsas.hang_for is 0\n",
		"--set midlayer.eh_scale=0.1":                                    "midlayer.eh_scale=0.1" + handling,
		"--set midlayer.allow_restart=true":                              "midlayer.allow_restart=true" + handling,
		"--set mptsas.recovers_by=host":                                  "mptsas.recovers_by=host" + handling,
		"--strategy per-queue --set midlayer.historic_target_bug=true":   "midlayer.historic_target_bug=true changes nothing here: strategy per-queue has no starved list",
		"--strategy ring --set host.needs_host_lock=true --kind tas":     "",
		"--strategy host-lock --kind tas":                                "",
		"--set mptsas.delay_rate=0.1 --set mptsas.delay=1ms":             "",
		"--set midlayer.eh_scale=1 --set midlayer.historic_target_bug=0": "",
	} {
		o := try(brief, strings.Fields(sim+command)...)
		assert.Zero(t, o.status, o.stderr)
		if want == "" {
			assert.NotContains(t, o.stderr, "changes nothing here", command)
		} else {
			assert.Contains(t, o.stderr, "lab: warning: "+want, command)
		}
	}
}

// Values that were fitted with one adapter and load say so under another.
func TestFittedValuesDoNotTravelUnsaid(t *testing.T) {
	copied := try(never(t), "show", "experiment", "chen-2010").stdout
	other := file(t, "other.toml", strings.Replace(copied, `"mptsas"`, `"megasas"`, 1))
	fewer := file(t, "fewer.toml", strings.Replace(copied, "threads      = 128", "threads      = 64", 1))
	const meet = ": here they are numbers like any other, and meet nothing published\n"
	for command, want := range map[string]string{
		"--driver ramdisk":          "the 5 fitted values of chen-2010 were chosen with driver mptsas, and not ramdisk" + meet,
		"--workload randwrite":      "the 5 fitted values of chen-2010 were chosen with workload headline" + meet,
		"--experiment " + other:     "the 5 fitted values of chen-2010 were chosen with driver mptsas, and not megasas" + meet,
		"--experiment " + fewer:     "threads=64 wins over the workload's own, which is 128\n",
		"--experiment chen-2010":    "",
		"--experiment max-sge":      "",
		"--strategy unlocked-qcmds": "",
	} {
		o := try(brief, strings.Fields("run --machine sim --duration 1ms --output "+os.DevNull+" "+command)...)
		assert.Zero(t, o.status, o.stderr)
		if want == "" {
			assert.NotContains(t, o.stderr, "fitted values", command)
			assert.NotContains(t, o.stderr, "wins over", command)
		} else {
			assert.Contains(t, o.stderr, want, command)
		}
	}
}

// A limit that is left to the driver is shown as what it came to.
func TestLimitsOfTheTemplateAreShown(t *testing.T) {
	o := try(brief, "run", "--machine", "sim", "--duration", "1ms", "--set", "host.sg_tablesize=64", "--parameters")
	assert.Zero(t, o.status, o.stderr)
	for _, want := range []string{
		`host.can_queue +-1 +here 127: the driver's template`, `host.cmd_per_lun +-1 +here 64: `, `host.max_host_blocked +-1 +here 7: `,
		`host.needs_host_lock +template +here false: `, `host.dma_boundary +template +here none: `, `host.sg_tablesize +64 +the command line`,
	} {
		assert.Regexp(t, want, o.stdout)
	}
}

// No adapter of its time moves ten gigabytes a second.
func TestMoreThanTheLinkCarriesIsSaid(t *testing.T) {
	const text = "name = \"mine\"\nstrategy = \"host-lock\"\ndriver = \"mptsas\"\nworkload = \"sgp_dd if=/dev/sg0 of=/dev/null bs=512 bpt=BPT thr=64\"\ncores = 16\nduration = \"10ms\"\n"
	for bpt, over := range map[string]bool{"8": false, "8192": true} {
		o := try(brief, "run", "--experiment", file(t, bpt+".toml", strings.Replace(text, "BPT", bpt, 1)), "--machine", "sim", "--output", os.DevNull)
		assert.Zero(t, o.status, o.stderr)
		assert.Equal(t, over, strings.Contains(o.stderr, "more than its link carries, which driver mptsas does not model: 2400 MB/s"), o.stderr)
	}
}

func TestAReplayThatFindsNothingSaysWhatThatIsWorth(t *testing.T) {
	o := try(never(t), "verify", "--strategy", "ring", "--replay", "1:0")
	assert.Zero(t, o.status)
	assert.Equal(t, "no finding in this schedule\n", o.stdout)
	assert.Contains(t, o.stderr, "only a new search says that the fault is gone")
}

// failing is a stream that takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestAnOutputThatTakesNothingIsAFailure(t *testing.T) {
	for _, command := range []string{"--help", "help run", "run --help", "version", "--version", "list strategies", "list strategies --format json", "show driver mptsas", "completion bash", "completion zsh"} {
		var stderr syncBuffer
		a := newApp(failing{}, &stderr)
		assert.Equal(t, exitFailed, a.main(strings.Fields(command)), command)
		assert.Contains(t, stderr.String(), "lab: file already closed", command)
	}
}

func TestAWindowInWhichNothingRan(t *testing.T) {
	o := try(brief, "run", "--machine", "sim", "--strategy", "ring", "--threads", "1", "--set", "fs.cpu=0", "--duration", "1ns", "--cores", "4096", "--output", os.DevNull)
	if o.status == exitDone {
		t.Skip("something ran in that nanosecond")
	}
	assert.Contains(t, o.stderr, "lab: no core was busy in the 1ns that were measured; measure for longer\n")
}

// A disk that fills up during a run is a failure, and loses nothing.
func TestADiskThatIsFullAtTheEnd(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no such device here")
	}
	f := new(fake)
	o := try(f.run, "run", "--machine", "sim", "--output", "/dev/full", "--format", "csv")
	assert.Equal(t, exitFailed, o.status)
	assert.Contains(t, o.stderr, "\nlab: write /dev/full: no space left on device\n")
	assert.Contains(t, o.stdout, "name,value,unit,how,source\n")
}
