package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/machine/param"
	"hostlock/results"
)

// minimal is the shortest file that says everything it must, on four lines.
const minimal = `name = "mine"
strategy = "ring"
driver = "null"
workload = "w.ffsb"
`

func TestMinimalFileHasDefaults(t *testing.T) {
	s, err := Parse("mine.toml", []byte(minimal+"cores = 4\n"))
	require.NoError(t, err)
	assert.Equal(t, "sim", s.Machine)
	assert.Equal(t, []int{4, 1, 0, 1, 1}, []int{s.Cores, s.Sockets, s.Threads, s.HBAs, s.LUNsPerHBA})
	assert.Zero(t, s.Duration)
	assert.Equal(t, uint64(1), s.Seed)
	assert.Equal(t, param.Place{File: "mine.toml", Line: 5}, s.At("cores"))
	assert.False(t, s.At("threads").IsValid())
	assert.False(t, s.Builtin())
	assert.EqualError(t, s.Errorf("cores", "no"), "mine.toml:5: no")
	assert.EqualError(t, s.Errorf("threads", "no"), "no")
}

func TestParametersKeepTextAndPlace(t *testing.T) {
	s, err := Parse("x/mine.toml", []byte(minimal+`cores = 4
[[parameter]]
name = "a.d"
value = "1.5us"
fitted = true
source = "by x"
[[parameter]]
name = "a.n"
value = 7
[[parameter]]
name = "a.f"
value = 0.25
[[parameter]]
name = "a.b"
value = true
`))
	require.NoError(t, err)
	require.Len(t, s.Parameters, 4)
	p := s.Parameters[0]
	assert.Equal(t, param.Setting{Name: "a.d", Value: "1.5us", Fitted: true, Source: "by x", NameAt: param.Place{File: "x/mine.toml", Line: 7}, At: param.Place{File: "x/mine.toml", Line: 8}}, p)
	var values []string
	for _, p := range s.Parameters {
		values = append(values, p.Value)
	}
	assert.Equal(t, []string{"1.5us", "7", "0.25", "true"}, values)
	assert.Equal(t, filepath.Join("x", "w.ffsb"), s.WorkloadPath())
	assert.EqualError(t, ErrorAt(p.At, "a.d", "bad"), "x/mine.toml:8: bad")
}

func TestTablesInLineAreTheSame(t *testing.T) {
	s, err := Parse("m", []byte(minimal+`cores = 4
scale.parameters = ["host.can_queue"]
parameter = [
  {name = "a.n", value = 1},
  {name = "a.m", value = 2},
]
`))
	require.NoError(t, err)
	assert.Equal(t, []string{"host.can_queue"}, s.ScaleParameters)
	require.Len(t, s.Parameters, 2)
	assert.Equal(t, param.Place{File: "m", Line: 9}, s.Parameters[1].At)
}

// Every fault has one line with its place, and says what is legal.
func TestFaults(t *testing.T) {
	file := minimal + "cores = 4\n" // what follows starts on line 6
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":          {file + "threds = 3", `m.toml:6: unknown key "threds"; legal: name, title, `},
		"wrong case":           {file + "Threads = 3", `m.toml:6: unknown key "Threads"; legal: name, `},
		"unknown table":        {file + "[scales]\nx = 1", `m.toml:6: unknown table [scales]; legal: [driver], [scale], [[parameter]], [[case]]`},
		"table for array":      {file + "[parameter]\nname = \"x\"", `m.toml:6: unknown table [parameter]; legal: [driver], [scale], [[parameter]], [[case]]`},
		"array for table":      {file + "[[scale]]\n", `m.toml:6: unknown table [[scale]]; legal: `},
		"unknown in table":     {file + "[scale]\nfactor = 2", `m.toml:7: unknown key "factor" in scale; legal: parameters`},
		"unknown in parameter": {file + "[[parameter]]\nname = \"x\"\nvalue = 1\nunit = \"us\"", `m.toml:9: unknown key "unit" in parameter; legal: name, value, fitted, source, doubt`},
		"unknown in line":      {file + "parameter = [{name = \"x\", value = 1, unit = 2}]", `m.toml:6: unknown key "unit" in parameter; legal: name, value, fitted, source, doubt`},
		"dotted unknown":       {file + "scale.factor = 2", `m.toml:6: unknown key "factor" in scale; legal: parameters`},
		"parameter as key":     {file + "host.needs_host_lock = true", `m.toml:6: unknown key "host.needs_host_lock"; legal: name, title, about, source, strategy, driver, workload, machine, cores, sockets, threads, hbas, luns_per_hba, duration, warmup, live_duration, seed, not_given, used_to_fit, [driver], [scale], [[parameter]], [[case]]; a parameter is no key: it is written as a [[parameter]] with its name and value`},
		"dotted too deep":      {file + "name.x = 2", `m.toml:6: name.x: key name is already defined`},
		"twice":                {file + "cores = 5", `m.toml:6: key cores is already defined`},
		"text for number":      {minimal + "cores = \"4\"", `m.toml:5: cores: is a TOML string; legal: a whole number`},
		"fraction for number":  {minimal + "cores = 1.5", `m.toml:5: cores: is a TOML float; legal: a whole number`},
		"number for text":      {file + "duration = 2", `m.toml:6: duration: is a TOML integer; legal: text in quotes`},
		"text for list":        {file + "not_given = \"x\"", `m.toml:6: not_given: is a TOML string; legal: a list of texts in quotes`},
		"text for boolean":     {file + "[[parameter]]\nname = \"x\"\nvalue = 1\nfitted = \"no\"", `m.toml:9: parameter.fitted: is a TOML string; legal: true or false`},
		"too large to be read": {minimal + "cores = 99999999999999999999", `m.toml:5: decimal number is too large`},
		"no TOML":              {file + "what is this", `m.toml:6: expected`},
		"half a line":          {file + "seed = ", `m.toml:6: expected value`},
		"no UTF-8":             {file + "title = \"\xff\"", `m.toml:6: `},
		"date as value":        {file + "[[parameter]]\nname = \"x\"\nvalue = 1979-05-27", `m.toml:8: x: value is missing or neither text, a number nor a boolean`},
		"cores 0":              {minimal + "cores = 0", `m.toml:5: cores=0: out of range; legal: 1 to 4096`},
		"cores -1":             {minimal + "cores = -1", `m.toml:5: cores=-1: out of range; legal: 1 to 4096`},
		"cores missing":        {minimal, `m.toml:1: cores is missing; legal: 1 to 4096`},
		"threads 0":            {file + "threads = 0", `m.toml:6: threads=0: out of range; legal: 1 to 1048576`},
		"hbas 0":               {file + "hbas = 0", `m.toml:6: hbas=0: out of range`},
		"sockets":              {file + "sockets = 3", `m.toml:6: sockets=3 does not divide cores=4`},
		"seed":                 {file + "seed = -1", `m.toml:6: seed=-1: negative; legal: a whole number, 0 or more`},
		"duration 0":           {file + "duration = \"0s\"", `m.toml:6: duration="0s": too short; legal: more than 0`},
		"duration bare":        {file + "duration = \"3\"", `m.toml:6: duration="3": not a duration; legal: `},
		"duration long":        {file + "duration = \"25h\"", `m.toml:6: duration="25h": too long; legal: up to 24h`},
		"warmup":               {file + "warmup = \"-1s\"", `m.toml:6: warmup="-1s": negative`},
		"machine":              {file + "machine = \"gpu\"", `m.toml:6: unknown machine "gpu"; legal: live, sim`},
		"name":                 {strings.Replace(file, "mine", "a/b", 1), `m.toml:1: name "a/b"; legal: letters, digits, - and _`},
		"name missing":         {strings.TrimPrefix(file, "name = \"mine\"\n"), `m.toml:1: name is missing or empty`},
		"strategy empty":       {strings.Replace(file, "ring", "", 1), `m.toml:2: strategy is missing or empty`},
		"key nearly":           {file + "sorce = \"x\"", `m.toml:6: unknown key "sorce"; legal: name, title, about, source, strategy, driver, workload, machine, cores, sockets, threads, hbas, luns_per_hba, duration, warmup, live_duration, seed, not_given, used_to_fit, [driver], [scale], [[parameter]], [[case]]; did you mean source?`},
		"source":               {file + "source = \"folklore\"", `m.toml:6: unknown published table "folklore"; legal: chen-2010, `},
		"used_to_fit":          {file + "source = \"chen-2010\"\nused_to_fit = [\"iops\"]", `m.toml:7: used_to_fit names no row of chen-2010: "iops"; legal: before.scsi_dispatch_cmd_pct, `},
		"used_to_fit alone":    {file + "used_to_fit = [\"iops\"]", `m.toml:6: used_to_fit without a source; legal sources: `},
		"parameter twice":      {file + "[[parameter]]\nname = \"x\"\nvalue = 1\n[[parameter]]\nname = \"x\"\nvalue = 1", `m.toml:10: parameter x given twice; first on line 7`},
		"parameter nameless":   {file + "[[parameter]]\nvalue = 1", `m.toml:6: parameter without a name`},
		"parameter valueless":  {file + "[[parameter]]\nname = \"x\"", `m.toml:6: x: value is missing`},
		"fitted by nothing":    {file + "[[parameter]]\nname = \"x\"\nvalue = 1\nfitted = true", `m.toml:6: x: a fitted value needs a source`},
		"case nameless":        {file + "[[case]]\nstrategy = \"ring\"", `m.toml:6: case without a legal name`},
		"case twice":           {file + "[[case]]\nname = \"a\"\n[[case]]\nname = \"a\"", `m.toml:9: case a given twice`},
		"case set":             {file + "[[case]]\nname = \"a\"\nset = [\"x\"]", `m.toml:8: set "x": legal: name=value`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("m.toml", []byte(c.text))
			require.Error(t, err)
			var usage *UsageError
			require.ErrorAs(t, err, &usage)
			assert.True(t, strings.HasPrefix(err.Error(), c.want), "have %s\nwant %s", err, c.want)
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, err.Error(), "struct")
		})
	}
}

func TestAllFaultsAreToldInTheOrderOfTheFile(t *testing.T) {
	_, err := Parse("m", []byte("name = \"mine\"\ncores = 0\nseed = -1\n"))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 5)
	assert.Equal(t, "m:2: cores=0: out of range; legal: 1 to 4096", lines[3])
	assert.Equal(t, "m:3: seed=-1: negative; legal: a whole number, 0 or more", lines[4])
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.toml")
	require.NoError(t, os.WriteFile(file, []byte(minimal+"cores = 4\n"), 0o644))
	s, err := Load(file)
	require.NoError(t, err)
	assert.Equal(t, minimal+"cores = 4\n", string(s.FileText()))

	for arg, want := range map[string]string{
		"":                         "no experiment named; legal: ",
		"headlne":                  `unknown experiment "headlne", and no such file; legal: chen-2010, cmd-per-lun`,
		dir:                        "is a directory; legal: a TOML file",
		filepath.Join(file, "sub"): "",
	} {
		_, err := Load(arg)
		var usage *UsageError
		require.True(t, errors.As(err, &usage), "%q: %v", arg, err)
		assert.ErrorContains(t, err, want)
	}

	big := filepath.Join(dir, "big")
	require.NoError(t, os.WriteFile(big, make([]byte, maxFile+1), 0o644))
	_, err = Load(big)
	assert.ErrorContains(t, err, "is longer than 1048576 bytes; legal: a TOML file")
}

// The embedded files are legal, are named as they are called, and copying one
// gives the same experiment.
func TestBuiltins(t *testing.T) {
	require.Contains(t, Builtins(), "chen-2010")
	for _, name := range Builtins() {
		t.Run(name, func(t *testing.T) {
			s, err := Load(name)
			require.NoError(t, err)
			assert.Equal(t, name, s.Name)
			assert.True(t, s.Builtin())
			assert.NotEmpty(t, s.Title)
			under, err := Load(strings.ReplaceAll(name, "-", "_"))
			require.NoError(t, err)
			assert.Equal(t, s, under)
			copied, err := Parse("copy.toml", s.FileText())
			require.NoError(t, err)
			assert.Equal(t, s.Parameters[0].Value, copied.Parameters[0].Value)

			fitted := 0
			for _, p := range s.Parameters {
				assert.NotEmpty(t, p.Source, "%s has no source", p.Name)
				if p.Fitted {
					fitted++
				}
			}
			assert.LessOrEqual(t, fitted, 5, "at most five fitted parameters")

			if s.Source == "" {
				assert.Zero(t, fitted, "fitted to what?")
				return
			}
			p, err := results.LookupPublished(s.Source)
			require.NoError(t, err)
			var cases []string
			for _, c := range s.Cases {
				cases = append(cases, c.Name)
			}
			assert.Equal(t, p.Cases(), cases[:len(p.Cases())], "the cases are those of the published table first, then any for contrast")
			assert.Equal(t, p.NotGiven, s.NotGiven)
		})
	}
}

func TestHeadlineIsThePublishedSetUp(t *testing.T) {
	s, err := Load("chen-2010")
	require.NoError(t, err)
	assert.Equal(t, "mptsas", s.Driver)
	assert.Equal(t, "headline", s.Workload)
	assert.Equal(t, []int{64, 128, 16}, []int{s.Cores, s.Threads, s.LUNs()})
	assert.Equal(t, 2*time.Second, s.Duration)
}

func TestUsagefKeepsTheCause(t *testing.T) {
	cause := os.ErrPermission
	err := Usagef("x: %w", cause)
	assert.ErrorIs(t, err, cause)
	assert.EqualError(t, err, "x: permission denied")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal + "cores = 4\n"))
	f.Add([]byte("[[parameter]]\nname.x = 1\n[scale]\n[[case]]\n\"\" = 2"))
	f.Add([]byte("parameter = [[1]]\ncase = 3\nscale = [{}]"))
	for _, name := range Builtins() {
		s, err := Load(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.FileText())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("f", text)
		if err == nil {
			if s.Cores < 1 || s.Name == "" {
				t.Fatalf("accepted %+v", s)
			}
			return
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, "f:") {
				t.Fatalf("a line without its place: %q", err)
			}
		}
	})
}
