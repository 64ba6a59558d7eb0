package disktest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload/transfer"
)

func TestParse(t *testing.T) {
	o, err := parse("disktest -rw -B 4k:256k -K8 -D 70:30 -p r -I bd -S 8:1023 -T 2m -PA -qQ -h 5 /dev/sdb")
	require.NoError(t, err)
	require.Equal(t, &options{read: true, write: true, lo: 4096, hi: 256 << 10, threads: 8, readShare: 70, random: true,
		from: 8, to: 1023, seconds: 2 * time.Minute, perf: true, bare: true, target: "/dev/sdb", ignored: []string{"-q", "-h"}}, o)
	o, err = parse("disktest /dev/sda")
	require.NoError(t, err)
	require.True(t, o.read && !o.write && o.buffered)
	require.Equal(t, []int64{512, 512, 4, 100}, []int64{o.lo, o.hi, o.threads, int64(o.readShare)})
	for text, want := range map[string]int64{"-B 1": 512, "-B 256": 256 * 512, "-B 512": 512, "-B 8k": 8192, "-B 64K": 64000} {
		o, err := parse("disktest " + text + " /dev/sda")
		require.NoError(t, err, text)
		require.Equal(t, want, o.lo, text)
	}
}

func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"disktest":                   "no device to test",
		"disktest /tmp/x":            "no device to test, but \"/tmp/x\"; legal: ",
		"disktest /dev/sda /dev/sdb": "a second target",
		"disktest -B 1000 /dev/sda":  "no multiple of a block; legal: ",
		"disktest -B 0 /dev/sda":     "no multiple of a block",
		"disktest -B 8k:4k /dev/sda": "ends before it begins",
		"disktest -B x /dev/sda":     "is no size",
		"disktest -K 0 /dev/sda":     "-K 0: legal: a whole number, 1 to 65536",
		"disktest -T 0 /dev/sda":     "legal: a whole number",
		"disktest -T 1y /dev/sda":    "legal: a whole number",
		"disktest -D 70:40 /dev/sda": "add up to 100",
		"disktest -p x /dev/sda":     "legal: l, L, r, R",
		"disktest -I x /dev/sda":     "legal: r, b or f",
		"disktest -S 9:8 /dev/sda":   "ends before it begins",
		"disktest -N 0 /dev/sda":     "1 or more",
		"disktest -Y /dev/sda":       `unknown option "-Y"; legal: `,
		"disktest /dev/sda -K":       "-K without its argument",
	} {
		_, err := parse(line)
		require.ErrorContains(t, err, want, line)
		require.NotContains(t, err.Error(), "\n", line)
	}
}

func TestReport(t *testing.T) {
	o, err := parse("disktest -r -B 256k -P P /dev/sda")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, (&disktest{o: o}).report(&b, transfer.Totals{Window: 2 * time.Second, Reads: 8, ReadBytes: 2 << 20}))
	stamp := "| 1970/01/01-00:00:02 | STAT  | 1 | v1.4.2 | /dev/sda | "
	require.Equal(t, stamp+"Total bytes read in 8 transfers: 2097152\n"+
		stamp+"Total read throughput: 1048576.0B/s (1.00MB/s), IOPS 4.0/s.\n"+
		stamp+"Total Read Time: 2 seconds (0d0h0m2s)\n"+
		strings.Replace(stamp, "STAT", "PERF", 1)+"2097152;TRbytes;8;TRxfers;2;TRsecs;0;TWbytes;0;TWxfers;0;TWsecs;\n"+
		strings.Replace(stamp, "STAT ", "END  ", 1)+"Test Done (Passed)\n", b.String())
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"disktest -r -B 256k -K 4 -p l -I r -T 10 /dev/sda", "disktest -B4k:8k -D70:30 -I b+d,s9 /dev/sdb", "disktest -", "disktest -K", ""} {
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
		if o.threads < 1 || o.lo < 512 || o.hi < o.lo || o.lo%512 != 0 || o.readShare < 0 || o.readShare > 100 || o.seconds < 0 || o.from < 0 {
			t.Fatalf("%q was taken as %+v", line, o)
		}
	})
}
