//go:build linux

// Public records well-known public modules' own benchmarks, unchanged, and
// writes the page docs/recorded.md: their hottest lock, what its holds are made
// of, and what longer holds do to the rate. It needs the module proxy, and a
// computer that does nothing else: `make recorded`.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"hostlock/record"
	"hostlock/record/launch"
)

// module is one that is recorded: a version, so that the page can be made again.
type module struct {
	what, path, version, pkg string
	bench                    string // -bench
}

// Each is among the best known of its kind. Two loggers, since one writes
// under a lock and the other does not; two caches, since one has all of its load
// on one shard and the other is driven by one goroutine.
var modules = []module{
	{"cache", "github.com/allegro/bigcache/v3", "v3.1.0", ".", "^BenchmarkWriteToCacheWith1Shard$"},
	{"cache", "github.com/hashicorp/golang-lru/v2", "v2.0.7", ".", "^BenchmarkLRU_Rand$"},
	{"metrics client", "github.com/prometheus/client_golang", "v1.25.0", "./prometheus", "^BenchmarkCounterWithLabelValuesConcurrent$"},
	{"logger", "github.com/sirupsen/logrus", "v1.9.3", ".", "^BenchmarkDummyLogger$"},
	{"logger", "go.uber.org/zap", "v1.27.0", ".", "^Benchmark10Fields$"},
	{"key-value store", "github.com/tidwall/buntdb", "v1.3.2", ".", "^Benchmark_Set_NoPersist_Random_1$"},
	{"queue", "github.com/Workiva/go-datastructures", "v1.1.5", "./queue", "^BenchmarkPriorityQueue$"},
	{"router", "github.com/go-chi/chi/v5", "v5.1.0", ".", "^BenchmarkMux$"},
}

// longer is the factor of --stretch: the slope then is what a hold of twice the
// length does.
const longer = 2

func main() {
	out := flag.String("o", "docs/recorded.md", "where the page goes")
	rounds := flag.Int("rounds", 5, "how often each run of a stretch is made")
	only := flag.String("only", "", "modules whose path matches; all without it")
	flag.Parse()
	if err := page(*out, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(1)
	}
}

func page(out string, rounds int, only string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var rows, sections strings.Builder
	var frame string
	before := processors()
	for _, m := range modules {
		if !match.MatchString(m.path) {
			continue
		}
		fmt.Fprintln(os.Stderr, m.path)
		r, err := m.record(context.Background(), rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		frame = fmt.Sprintf("%s, GOMAXPROCS=%d", r.Go, r.Procs)
		rows.WriteString(m.row(r))
		var text bytes.Buffer
		if err := r.Text(&text, false); err != nil {
			return err
		}
		fmt.Fprintf(&sections, "\n## %s: %s %s\n\n    lab record --stretch %s=%d -- %s\n\n```\n%s```\n", m.what, m.path, m.version, stretched(r), longer, r.Command, trimmed(text.String()))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Public modules, recorded

`+"`make recorded`"+` makes this page: the modules' own benchmarks, unchanged, each
recorded once, and then %d times as it is, with holds of the hottest lock %d times
as long, and with the same time spent outside the hold, in turn.
%s, %s/%s. %s
[record.md](record.md) says how, and what it costs.

A *slope* is what the longer hold did to the rate, least to greatest of the
rounds; the *control* is the same time outside the hold. A lock bounds the rate
where each round of the one lies below each round of the other. *Adds* is what the
longer holds add, over the time that the benchmark took: where it is under 1 %%,
whatever the rounds differ by is the computer's, and the lock is no problem.

| module | benchmark | hottest lock | held %% | contended %% | hold mean, p99 | adds %% | slope | control |
|---|---|---|---:|---:|---:|---:|---:|---:|
`, rounds, longer, frame, runtime.GOOS, runtime.GOARCH, beside(before))
	b.WriteString(rows.String())
	b.WriteString(sections.String())
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// used is what the computer's processors did so far, in seconds.
type used struct{ busy, all, own float64 }

// processors reads /proc/stat, whose ticks are hundredths of a second, and what
// of it this program's commands used. It is zero where there is none.
func processors() (u used) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return used{}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, f := range strings.Fields(line)[1:9] { // guests are within the first
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return used{}
		}
		if u.all += v / 100; i != 3 && i != 4 { // idle, and waiting for a disk
			u.busy += v / 100
		}
	}
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		return used{}
	}
	u.own = time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
	return u
}

// beside says what else the computer did meanwhile: it moves the rates.
func beside(before used) string {
	now := processors()
	if now.all <= before.all {
		return ""
	}
	return fmt.Sprintf("Meanwhile other\nprograms used %.0f %% of the computer.", 100*max(now.busy-before.busy-now.own+before.own, 0)/(now.all-before.all))
}

// record runs the module's benchmark in a copy of the module, as its cache is
// read-only.
func (m module) record(ctx context.Context, rounds int) (*record.Record, error) {
	text, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.path+"@"+m.version).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(text, &at); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "hostlock-recorded-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "module")
	if err := os.CopyFS(dir, os.DirFS(at.Dir)); err != nil {
		return nil, err
	}
	home, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	defer func() { _ = os.Chdir(home) }()
	// 200 ms a benchmark: a hundred thousand acquisitions at the least.
	args := []string{"go", "test", "-run", "^$", "-bench", m.bench, "-benchtime", "200ms", m.pkg}
	c, err := launch.Prepare(args)
	if err != nil {
		return nil, err
	}
	printed := new(bytes.Buffer)
	c.Stdout, c.Stderr = io.MultiWriter(printed, os.Stderr), os.Stderr
	var r *record.Record
	for _, name := range []string{"builds", "measured"} { // the first run compiles, too
		into := filepath.Join(tmp, name)
		if err := os.Mkdir(into, 0o755); err != nil {
			return nil, err
		}
		run, err := c.Once(ctx, into, nil, "")
		if err == nil {
			err = run.Err
		}
		if err != nil {
			return nil, err
		}
		if r = record.Build(run.Processes); len(run.Processes) == 0 {
			return nil, errors.New("nothing was recorded")
		}
	}
	if _, n := launch.Benchmarks(printed.Bytes(), ""); n == 0 {
		return nil, fmt.Errorf("no benchmark matches %s", m.bench)
	}
	r.Command = strings.Join(args, " ")
	r.Note()
	if site := stretched(r); site != "" {
		r.Stretch, err = c.Stretch(ctx, launch.Trial{Site: site, Factors: []float64{longer}, Rounds: rounds, Dir: tmp})
	}
	return r, err
}

// stretched is the site whose holds are made longer: the first of the table that
// is not package testing's own, as file:line.
func stretched(r *record.Record) string {
	l := hottest(r)
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
}

// hottest is the site that holds the first lock of the table longest.
func hottest(r *record.Record) *record.Lock {
	var first *record.Lock
	for i := range r.Locks {
		l := &r.Locks[i]
		if first == nil && !l.Harness {
			first = l
		}
		if first != nil && l.Lock == first.Lock && l.Site == l.Lock && !l.Reads {
			return l
		}
	}
	return first
}

func (m module) row(r *record.Record) string {
	bench := strings.Trim(strings.TrimPrefix(m.bench, "^Benchmark"), "^$")
	l := hottest(r)
	if l == nil {
		return fmt.Sprintf("| %s (%s) | `%s` | none | | | | | | |\n", m.path, m.what, bench)
	}
	read, held, hold := "", "", ""
	if l.Reads {
		read = ", read"
	}
	if l.HottestUtilizationPct != nil {
		held = fmt.Sprintf("%.3g", *l.HottestUtilizationPct)
		if l.HottestAtLeast {
			held = "> " + held
		}
	}
	if l.Hold != nil {
		hold = fmt.Sprintf("%s, %s", record.Ns(l.Hold.Mean), record.Ns(l.Hold.P99))
	}
	added, slope, control := "", "", ""
	for _, s := range r.Stretch {
		percent := func(v float64) float64 { return 100 * (v - 1) }
		added = fmt.Sprintf("%.2g", s.AddedPct)
		slope = fmt.Sprintf("%+.0f %% (%+.0f to %+.0f)", percent(s.RateRatio), percent(s.Low), percent(s.High))
		control = fmt.Sprintf("%+.0f %% (%+.0f to %+.0f)", percent(s.ControlRatio), percent(s.ControlLow), percent(s.ControlHigh))
	}
	name := l.Function[strings.LastIndexByte(l.Function, '/')+1:]
	return fmt.Sprintf("| %s (%s) | `%s` | `%s` %s:%d%s | %s | %.2g | %s | %s | %s | %s |\n", m.path, m.what, bench, name, filepath.Base(l.File), l.Line, read,
		held, 100*float64(l.Contended)/float64(max(l.Acquisitions, 1)), hold, added, slope, control)
}

// trimmed is text without blanks at the ends of lines.
func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintln(&b, strings.TrimRight(line, " \n"))
	}
	return b.String()
}
