package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"hostlock/machine/computer"
)

func main() {
	repetitions := flag.Int("repetitions", 10, "of every benchmark, interleaved")
	only := flag.String("only", "", "seam or rings; both without it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *repetitions, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, repetitions int, only string) error {
	dir, err := os.MkdirTemp("", "hostlock-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(os.Stderr, "bench: all %d cores will be busy for about three minutes\n", runtime.NumCPU())
	watch := computer.StartWatch()
	started := time.Now()
	fmt.Printf("%s, %s/%s, %d cores, %d interleaved repetitions; ns: median (quartiles)\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), repetitions)
	if only != "rings" {
		if err := seam(ctx, dir, repetitions); err != nil {
			return err
		}
	}
	if only != "seam" {
		if err := rings(ctx, dir, repetitions); err != nil {
			return err
		}
	}
	if n := watch.Stop(); n.Known {
		// The benchmarks are processes of their own.
		others := max(n.CPU-children.Seconds()/time.Since(started).Seconds(), 0)
		fmt.Printf("\nother processes: %.2f CPU, %s\n", others, time.Now().Format("2 January 2006"))
	}
	return ctx.Err()
}

// children is the processor time of the commands that were run.
var children time.Duration

func spent(cmd *exec.Cmd) {
	if s := cmd.ProcessState; s != nil {
		children += s.UserTime() + s.SystemTime()
	}
}

// build compiles the benchmarks of a package.
func build(ctx context.Context, to, pkg string, flags ...string) error {
	args := append([]string{"test", "-c", "-o", to}, append(flags, pkg)...)
	cmd := exec.CommandContext(ctx, "go", args...)
	out, err := cmd.CombinedOutput()
	spent(cmd)
	if err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// once runs a test binary's benchmarks once.
func once(ctx context.Context, binary string, cpus int, benchtime, which string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", which,
		"-test.cpu", fmt.Sprint(cpus), "-test.benchtime", benchtime)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	spent(cmd)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(binary), err, out)
	}
	return out, nil
}

// seam measures every strategy's path with the seam and without it.
func seam(ctx context.Context, dir string, repetitions int) error {
	overlay, hooks, err := writeBare(dir)
	if err != nil {
		return err
	}
	with, without := filepath.Join(dir, "seam.test"), filepath.Join(dir, "bare.test")
	if err := build(ctx, with, "./bench/path"); err != nil {
		return err
	}
	if err := build(ctx, without, "./bench/path", "-overlay", overlay); err != nil {
		return err
	}
	a, b := map[string]series{}, map[string]series{}
	cpus := []int{1, runtime.NumCPU()}
	for i := range 2 * repetitions {
		binary, into := with, a
		// A B B A: a drift over one repetition meets both alike.
		if i%4 == 1 || i%4 == 2 {
			binary, into = without, b
		}
		for _, n := range cpus {
			out, err := once(ctx, binary, n, "30000x", ".")
			if err != nil {
				return err
			}
			collectAs(into, out, n)
		}
	}
	fmt.Printf("\n## The seam\n\nOne command through each strategy's path on the null driver, with all costs of the model at 0 and with its own: with the seam, and with its %d hooks taken out of the sources, on sync/atomic alone. On one core it is processor time, on more the clock's. Words and Lock are 100 rounds.\n\n", hooks)
	fmt.Println("| path | with the seam | without | difference of medians | beyond quartiles |")
	fmt.Println("|---|---:|---:|---:|---|")
	for _, n := range cpus {
		for _, name := range pathNames {
			key := key(name, n)
			x, y := a[key], b[key]
			if len(x) == 0 || len(y) == 0 {
				continue
			}
			fmt.Printf("| %s, %s | %s | %s | %+.1f %% | %s |\n", title(name), cores(n), x, y, 100*(x.quantile(0.5)/y.quantile(0.5)-1), apart(x, y))
		}
	}
	return nil
}

// pathNames are the benchmarks of bench/path, in the order of the table.
var pathNames = []string{
	"Words", "Lock",
	"Path/host-lock/1", "Path/unlocked-qcmds/1", "Path/per-queue/1", "Path/ring/1",
	"Modelled/host-lock/1", "Modelled/unlocked-qcmds/1", "Modelled/per-queue/1", "Modelled/ring/1",
	"Path/host-lock/64", "Path/unlocked-qcmds/64", "Path/per-queue/64", "Path/ring/64",
}

// title is a benchmark's name for people.
func title(name string) string {
	kind, rest, _ := strings.Cut(name, "/")
	strategy, threads, ok := strings.Cut(rest, "/")
	if !ok {
		return name
	}
	what := strategy + ", no costs"
	if kind == "Modelled" {
		what = strategy + ", the model's costs"
	}
	if threads == "1" {
		return what + ", 1 thread"
	}
	return what + ", " + threads + " threads"
}

func key(name string, cpus int) string { return fmt.Sprintf("%s@%d", name, cpus) }

func collectAs(into map[string]series, out []byte, cpus int) {
	got := map[string]series{}
	unit := "sec/op"
	if cpus == 1 {
		unit = "cpu-sec/op" // which others hardly disturb; with more cores it has waiting in it
	}
	collect(got, out, unit)
	for name, s := range got {
		into[key(name, cpus)] = append(into[key(name, cpus)], s...)
	}
}

func cores(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}

// rings measures our ring beside its peers.
func rings(ctx context.Context, dir string, repetitions int) error {
	binary := filepath.Join(dir, "rings.test")
	if err := build(ctx, binary, "./bench/rings"); err != nil {
		return err
	}
	got := map[string]series{}
	for range repetitions {
		for _, name := range ringNames {
			for _, load := range ringLoads {
				out, err := once(ctx, binary, runtime.NumCPU(), "3000000x", "^BenchmarkRing$/^"+name+"$/^"+load+"$")
				if err != nil {
					return err
				}
				collect(got, out, "sec/op")
			}
		}
	}
	fmt.Printf("\n## The ring beside its peers\n\nCapacity 1024, one item put and taken, at so many producers and consumers.\n\n")
	fmt.Print("| queue |")
	for _, l := range ringLoads {
		fmt.Printf(" %s |", strings.ReplaceAll(l, "to", "/"))
	}
	fmt.Println("\n|---|---:|---:|---:|")
	for _, name := range ringNames {
		fmt.Printf("| %s |", ringTitles[name])
		for _, l := range ringLoads {
			fmt.Printf(" %s |", got["Ring/"+name+"/"+l])
		}
		fmt.Println()
	}
	fmt.Print("| the first beside xsync |")
	for _, l := range ringLoads {
		fmt.Printf(" %s |", apart(got["Ring/ours/"+l], got["Ring/xsync/"+l]))
	}
	fmt.Println()
	return nil
}

var (
	ringNames  = []string{"ours", "xsync", "lscq", "channel"}
	ringLoads  = []string{"1to1", "4to4", "64to64"}
	ringTitles = map[string]string{
		"ours": "hostlock/strategies/mpmc, Enqueue: tries until full", "xsync": "puzpuzpuz/xsync v4 MPMCQueue, TryEnqueue",
		"lscq": "bytedance/gopkg lscq (unbounded)", "channel": "Go channel",
	}
)
