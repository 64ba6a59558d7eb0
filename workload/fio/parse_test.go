package fio

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
)

func parseText(t *testing.T, text string) []*job {
	t.Helper()
	w, err := workload.Parse("f", []byte(text))
	require.NoError(t, err)
	return w.(*load).jobs
}

// one is the only job of a file with these options.
func one(t *testing.T, options string) *job {
	t.Helper()
	return parseText(t, "[j]\n"+strings.ReplaceAll(options, " | ", "\n")+"\n")[0]
}

func TestValues(t *testing.T) {
	for text, want := range map[string]int64{
		"4096": 4096, "4k": 4096, "4K": 4096, "4kb": 4096, "4KiB": 4000, "4ki": 4000, "1m": 1 << 20, "2g": 2 << 30, "0x10": 16, "0x10k": 16 << 10, "512b": 512, "1t": 1 << 40,
	} {
		n, err := size(text, 1024)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for text, want := range map[string]int64{"4k": 4000, "4ki": 4096, "1MiB": 1 << 20, "7": 7} {
		n, err := size(text, 1000)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "k", "1.5m", "4q", "4kk", "-1", "65p1", "99999999p", "1 2", "0x", "4i"} {
		_, err := size(text, 1024)
		require.Error(t, err, text)
	}
	for text, want := range map[string]time.Duration{"10": 10 * time.Second, "5ms": 5 * time.Millisecond, "3us": 3 * time.Microsecond, "2m": 2 * time.Minute, "1h": time.Hour, "1d": 24 * time.Hour} {
		d, err := duration(text, time.Second)
		require.NoError(t, err, text)
		require.Equal(t, want, d, text)
	}
}

func TestOptions(t *testing.T) {
	j := one(t, "rw=randrw:8 | bs=4k,8k | rwmixread=70 | ioengine=libaio | iodepth=32 | iodepth_batch=4 | direct=1 | runtime=2m | time_based | numjobs=3")
	require.True(t, j.random && j.mixed() && j.direct && j.timeBased && j.async())
	require.Equal(t, []int{8, 70, 32, 4, 3, 32}, []int{j.run, j.mix, j.depth, j.batch, j.clones, j.low})
	require.Equal(t, [2]blocks{{lo: 4096, hi: 4096}, {lo: 8192, hi: 8192}}, j.bs)
	require.Equal(t, 2*time.Minute, j.runtime)

	j = one(t, "rw=read:-8k | bsrange=1k-4k,8k-32k | rate=1m,,500k | startdelay=2-5 | cpus_allowed=0-2,7 | size=10m | buffered=0")
	require.Equal(t, [2]blocks{{lo: 1024, hi: 4096}, {lo: 8192, hi: 32768}}, j.bs)
	require.EqualValues(t, -8192, j.stride)
	require.Equal(t, [2]float64{1 << 20, 0}, j.rate)
	require.Equal(t, [2]time.Duration{2 * time.Second, 5 * time.Second}, j.delay)
	require.Equal(t, []int{0, 1, 2, 7}, j.cpus)
	require.True(t, j.direct)

	j = one(t, "rw=randwrite | bssplit=4k/60:16k/:64k/,8k | random_distribution=zoned:60/10:40/90 | size=50% | filename=/dev/sda:a\\:b")
	require.Equal(t, []share{{4096, 60}, {16384, 20}, {65536, 20}}, j.bs[reads].split)
	require.Equal(t, []share{{8192, 100}}, j.bs[writes].split)
	require.Equal(t, []zone{{access: 60, size: 10}, {access: 40, size: 90}}, j.dist.zones[0])
	require.Equal(t, []string{"/dev/sda", "a:b"}, j.files)
	require.EqualValues(t, 50, j.size.percent)

	j = one(t, "rw=randread | size=1m | random_distribution=zoned:50/5:30/15:20/")
	require.Equal(t, []zone{{access: 50, size: 5}, {access: 30, size: 15}, {access: 20, size: 80}}, j.dist.zones[1])

	// kb_base counts wherever it stands, and a later value of an option wins.
	j = one(t, "bs=4k | size=1ki | size=1m | kb_base=1000")
	require.EqualValues(t, 4000, j.bs[reads].lo)
	require.EqualValues(t, 1_000_000, j.size.bytes)
}

func TestSections(t *testing.T) {
	t.Setenv("FIO_TEST_SIZE", "2m")
	jobs := parseText(t, `; comment
[global]
rw=randread:8 # cut
size=${FIO_TEST_SIZE}
  bs = 8k
[j1]
numjobs=2
[global]
iodepth=16
[j1]
stonewall
iodepth=3
[last]
wait_for=j1
`)
	require.Len(t, jobs, 3)
	require.Equal(t, []string{"j1", "j1", "last"}, []string{jobs[0].name, jobs[1].name, jobs[2].name})
	require.Equal(t, []int{1, 3, 16}, []int{jobs[0].depth, jobs[1].depth, jobs[2].depth})
	require.Equal(t, []int{0, 2, 3}, []int{jobs[0].jobnum, jobs[1].jobnum, jobs[2].jobnum})
	require.EqualValues(t, 2<<20, jobs[2].size.bytes)
	require.EqualValues(t, 8192, jobs[0].bs[reads].lo)
	require.True(t, jobs[1].stonewall)
}

func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("depth.fio", "iodepth=7\ninclude more.fio\n")
	write("more.fio", "bs=16k\n")
	w, err := workload.Load(write("main.fio", "[global]\nsize=1m\ninclude depth.fio\n[a]\n"))
	require.NoError(t, err)
	j := w.(*load).jobs[0]
	require.Equal(t, 7, j.depth)
	require.EqualValues(t, 16384, j.bs[reads].lo)

	write("bad.fio", "iodepth=7\nbs=x\n")
	write("round.fio", "include round.fio\n")
	write("section.fio", "[b]\n")
	for text, want := range map[string]string{
		"include bad.fio":     "bad.fio:2: ",
		"include round.fio":   "round.fio:1: ",
		"include section.fio": "section.fio:1: ",
		"include none.fio":    "x.fio:3: ",
	} {
		_, err := workload.Load(write("x.fio", "[a]\nsize=1m\n"+text+"\n"))
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestCommandLine(t *testing.T) {
	file := parseText(t, "[global]\nioengine=libaio\niodepth=8\n[a]\nrw=randread\nbs=8k\nstonewall\n[b]\ndescription=two words\nsize=1m\n")
	for _, line := range []string{
		"fio --name=global --ioengine=libaio --iodepth=8 --name=a --rw=randread --bs=8k --stonewall --name=b --description='two words' --size=1m",
		"/usr/bin/fio --output x --name global --ioengine libaio -iodepth 8 --name a --rw randread --bs 8k --stonewall --name b --description \"two words\" --size 1m --group_reporting=0",
	} {
		w, err := workload.Load(line)
		require.NoError(t, err)
		jobs := w.(*load).jobs
		require.Len(t, jobs, 2)
		require.Equal(t, file[0].String(), jobs[0].String())
		require.True(t, jobs[0].stonewall)
		require.Equal(t, file[1].size, jobs[1].size)
	}
	path := filepath.Join(t.TempDir(), "x.fio")
	require.NoError(t, os.WriteFile(path, []byte("[a]\nsize=1m\n[b]\nsize=2m\n"), 0o644))
	w, err := workload.Load("fio --section=b " + path)
	require.NoError(t, err)
	require.Len(t, w.(*load).jobs, 1)
	require.EqualValues(t, 2<<20, w.(*load).jobs[0].size.bytes)
}

// TestRefused: what would change the answer and is not modelled, and what fio
// refuses itself, each with its place.
func TestRefused(t *testing.T) {
	for _, line := range []string{
		"rw=trim", "rw=foo", "rw=randread:0", "bs=0", "bs=4q", "bssplit=4k/60:8k/60", "bssplit=4k/50", "ioengine=rdma", "ioengine=foo", "zonemode=zbd", "dedupe_percentage=30",
		"pi_act=1", "fdp=1", "io_submit_mode=offload", "serialize_overlap=1", "iodepth=0", "rwmixread=101", "direct=2", "direct", "numjobs=0", "foo=1", "cpus_allowed=3-1",
		"random_distribution=zipf:1", "random_distribution=pareto:1.2", "random_distribution=zoned:50/10", "time_based=yes", "size=", "filename=/dev/zero", "verify=1", "latency_target=5ms",
		"opendir=/x", "read_iolog=x", "size=1.5m", "sqthread_poll=1", "hostname=x", "wait_for=nobody", "kb_base=1", "rate_process=x", "file_service_type=foo",
	} {
		_, err := workload.Parse("f", []byte("[a]\nsize=1m\n"+line+"\n"))
		require.Error(t, err, line)
		require.True(t, strings.HasPrefix(err.Error(), "f:3: "), "%s: %v", line, err)
		require.Contains(t, err.Error(), "; legal: ")
		require.NotContains(t, err.Error(), "\n")

		key, value, bare := strings.Cut(line, "=")
		if !bare || value == "" {
			continue
		}
		_, err = workload.Load("fio --name=a --size=1m --" + key + "=" + value)
		require.Error(t, err, line)
		require.True(t, strings.HasPrefix(err.Error(), "fio: "), "%s: %v", line, err)
	}
	for _, text := range []string{"[global]\nbs=4k\n", "[a]\nrw=read\n[\n", "[]\nrw=read\n", "[a]\ntime_based\n", "[a]\nrw=randread\nrate=1m\nrate_iops=10\n", "[a]\ninclude x\n"} {
		_, err := workload.Parse("f", []byte(text))
		require.Error(t, err, text)
		require.True(t, strings.HasPrefix(err.Error(), "f:"), "%q: %v", text, err)
	}
	for _, line := range []string{"fio", "fio --name", "fio --client=x", "fio --name=a --readonly --rw=write --size=1m", "fio 'x", "fio /no/such.fio", "fio --section=x --name=a"} {
		_, err := workload.Load(line)
		require.Error(t, err, line)
		require.NotContains(t, err.Error(), "\n")
	}
}

// TestOff: refused options with the value that means no.
func TestOff(t *testing.T) {
	j := one(t, "size=1m | zonemode=none | dedupe_percentage=0 | trim_percentage=0 | io_submit_mode=inline | atomic=0")
	require.Len(t, j.asked, 6)
	w, err := workload.Parse("f", []byte("[a]\nsize=1m\nlog_avg_msec=10\nclat_percentiles=0\nlog_avg_msec=20\n"))
	require.NoError(t, err)
	require.Len(t, w.Warnings(), 1)
	require.Equal(t, 1, strings.Count(w.Warnings()[0], "log_avg_msec"))
}

func TestTableOfOptions(t *testing.T) {
	n := map[Effect]int{}
	for _, o := range Options() {
		require.NotEmpty(t, o.About, o.Name)
		n[o.Effect]++
	}
	require.Greater(t, n[Acts], 50)
	require.Greater(t, n[Quiet], 80)
	require.Greater(t, n[Refused], 80)
}

// FuzzParse: a job file or a command line is refused in one line, or it is a
// bounded load.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"[global]\nrw=randread:8\nbs=4k,8k\n[a]\nsize=1m\nbssplit=4k/60:16k/40\n", "[a]\nsize=${HOME}\n", "[a]\nrate=1m,,500k\nrandom_distribution=zoned:60/10:40/90\nsize=50%\n",
		"fio --name=a --rw=randrw --bs 4k --size=1m", "fio --name=global --iodepth=8 --name=a --size=1g '--description=a b'", "[a]\ninclude x\n", "[a]\nfilename=a\\:b:c\ncpus_allowed=0-3,8\nstartdelay=2-5\n",
		"fio", "[", "[a]\n=\n", "[a]\nkb_base=1000\nsize=1ki\nfilesize=1k-2k\nnrfiles=3\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := workload.Parse("f", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") && text != "f" {
				t.Fatalf("%q: no place: %v", text, err)
			}
			return
		}
		l, ok := w.(*load)
		if !ok {
			return
		}
		if n := l.Threads(); n < 1 || n > maxClones {
			t.Fatalf("%q has %d threads", text, n)
		}
		for _, j := range l.jobs {
			if j.depth < 1 || j.depth > maxDepth || j.smallest() < 1 || j.largest() > maxBlock || j.mix < 0 || j.mix > 100 || j.low < 1 || j.batch < 1 || j.reapMax < j.reapMin ||
				j.size.bytes < 0 || j.size.bytes > maxBytes || j.offset.bytes < 0 {
				t.Fatalf("%q was taken as %+v", text, j)
			}
		}
		_, _, _ = l.Name(), l.Warnings(), l.Duration()
	})
}
