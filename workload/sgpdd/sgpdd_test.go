package sgpdd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
	"hostlock/workload/transfer"
)

func TestParse(t *testing.T) {
	o, err := parse("sgp_dd if=/dev/sg1 of=/dev/sg2 bs=4k bpt=2x16 count=1k skip=3 seek=0x10 thr=32 cdbsz=16 time=1 dio=1 iflag=dio,fua --progress")
	require.NoError(t, err)
	require.Equal(t, &options{in: "/dev/sg1", out: "/dev/sg2", bs: 4096, bpt: 32, count: 1024, skip: 3, seek: 16, threads: 32,
		cdbsz: 16, time: true, hasInput: true, ignored: []string{"dio", "iflag", "--progress"}}, o)
	o, err = parse("sgp_dd if=/dev/zero of=/dev/sg0")
	require.NoError(t, err)
	require.Equal(t, []int64{512, 128, 4, -1}, []int64{o.bs, o.bpt, o.threads, o.count})
	o, err = parse("sgp_dd if=/dev/sg0 of=. bs=2048")
	require.NoError(t, err)
	require.EqualValues(t, 32, o.bpt)
}

func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"sgp_dd":                                     "no if=FILE",
		"sgp_dd if=/dev/zero of=/dev/null":           "no device at either end",
		"sgp_dd if=/dev/sg0 of=/tmp/x":               "neither a device nor a sink; legal: ",
		"sgp_dd if=/etc/passwd of=/dev/sg0":          "neither a device nor an endless file; legal: ",
		"sgp_dd if=/dev/sg0 of=. thr=0":              "thr=0: out of range; legal: 1 to 1024",
		"sgp_dd if=/dev/sg0 of=. thr=1025":           "thr=1025: out of range; legal: 1 to 1024",
		"sgp_dd if=/dev/sg0 of=. bs=1000":            "no block size of a device; legal: a power of 2",
		"sgp_dd if=/dev/sg0 of=. bs=1024 ibs=2048":   "differs from bs=1024; legal: the same",
		"sgp_dd if=/dev/sg0 of=. bpt=x":              `"x" is no number; legal: `,
		"sgp_dd if=/dev/sg0 of=. bpt=0":              "legal: 1 to ",
		"sgp_dd if=/dev/sg0 of=. cdbsz=8":            "legal: 6, 10, 12, 16",
		"sgp_dd if=/dev/sg0 of=. time=yes":           "legal: 0, 1",
		"sgp_dd if=/dev/sg0 of=. iflag=foo":          `unknown flag "foo"; legal: append`,
		"sgp_dd if=/dev/sg0 of=. thread=3":           `unknown operand "thread=3"; legal: if, of`,
		"sgp_dd if=/dev/sg0 of=. --help":             `unknown operand "--help"; legal: `,
		"sgp_dd if=/dev/sg0 of=. bs=64k bpt=1048576": "legal: up to 1 GiB",
	} {
		_, err := parse(line)
		require.Error(t, err, line)
		if !strings.Contains(want, "differs") || strings.Contains(want, "from") {
			require.ErrorContains(t, err, want, line)
		}
		require.NotContains(t, err.Error(), "\n", line)
	}
	_, err := workload.Parse("mine.txt", []byte("# mine\nsgp_dd thr=0\n"))
	require.ErrorContains(t, err, "mine.txt:2: thr=0: ")
	_, err = workload.Parse("sgp_dd thr=0", []byte("sgp_dd thr=0"))
	require.EqualError(t, err, "sgp_dd: thr=0: out of range; legal: 1 to 1024")
}

func TestReport(t *testing.T) {
	o, err := parse("sgp_dd if=/dev/zero of=/dev/sg0 bpt=2048 time=1")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, (&sgpdd{o: o}).report(&b, transfer.Totals{Window: 2 * time.Second, Transfers: 100}))
	require.Equal(t, "time to transfer data was 2.000000 secs, 52.43 MB/sec\n204800+0 records in\n204800+0 records out\n", b.String())
	o, err = parse("sgp_dd if=/dev/sg0 of=/dev/null")
	require.NoError(t, err)
	b.Reset()
	require.NoError(t, (&sgpdd{o: o}).report(&b, transfer.Totals{Window: time.Second, Transfers: 1}))
	require.Equal(t, "128+0 records in\n0+0 records out\n", b.String())
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"sgp_dd if=/dev/sg0 of=. thr=32 bs=512 bpt=2x4k", "sgp_dd iflag=,, count=0x", "sgp_dd if= of=", "sgp_dd bs=1+", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parse(line)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(line, "\n") {
				t.Fatalf("%q: an error of several lines: %v", line, err)
			}
			return
		}
		if o.threads < 1 || o.threads > 1024 || o.bs < 512 || o.bpt < 1 || o.bs*o.bpt > 1<<30 || o.count < -1 {
			t.Fatalf("%q was taken as %+v", line, o)
		}
	})
}
