package dd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/workload/transfer"
)

func TestParse(t *testing.T) {
	o, err := parse("dd if=/dev/sda of=/dev/sdb bs=64k count=100 skip=1k seek=2 conv=fsync,notrunc iflag=direct status=noxfer")
	require.NoError(t, err)
	require.Equal(t, &options{in: "/dev/sda", out: "/dev/sdb", ibs: 65536, obs: 65536, count: 100, skip: 1024, seek: 2,
		direct: true, fsync: true, noxfer: true, ignored: []string{"conv=notrunc"}}, o)
	o, err = parse("dd if=/dev/sda of=/dev/null count=4096")
	require.NoError(t, err)
	require.Equal(t, []int64{512, 512, 4096}, []int64{o.ibs, o.obs, o.count})
	require.False(t, o.direct)
}

// TestBytes: counts of bytes, and the other names of skip and seek.
func TestBytes(t *testing.T) {
	for line, want := range map[string][]int64{
		"dd if=/dev/sda of=/dev/null bs=4k count=1048576B":                             {256, 0, 0},
		"dd if=/dev/sda of=/dev/null bs=4k count=1MiB iflag=count_bytes":               {256, 0, 0},
		"dd if=/dev/sda of=/dev/sdb bs=4k iseek=3 oseek=4 count=2":                     {2, 3, 4},
		"dd if=/dev/sda of=/dev/sdb bs=4k skip=8192B seek=8k count=2 oflag=seek_bytes": {2, 2, 2},
		"dd if=/dev/zero of=/dev/sda bs=512 count=2b oflag=dsync":                      {1024, 0, 0},
	} {
		o, err := parse(line)
		require.NoError(t, err, line)
		require.Equal(t, want, []int64{o.count, o.skip, o.seek}, line)
		require.Equal(t, strings.Contains(line, "dsync"), o.dsync)
	}
}

func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"dd":                                  "neither a device nor an endless file",
		"dd if=/dev/sda":                      "neither a device nor a sink; legal: ",
		"dd if=/dev/zero of=/dev/null":        "no device at either end",
		"dd if=/dev/sda of=/dev/null bs=1000": "no multiple of the device's block; legal: a multiple of 512",
		"dd if=/dev/sda of=/dev/sdb ibs=512 obs=1024": "between two devices; legal: the same",
		"dd if=/dev/sda of=/dev/null bs=0":            "legal: 1 to ",
		"dd if=/dev/sda of=/dev/null count=-1":        "is no number",
		"dd if=/dev/sda of=/dev/null conv=foo":        `unknown "foo"; legal: ascii`,
		"dd if=/dev/sda of=/dev/null count=1000B":     "legal: whole blocks",
		"dd if=/dev/sda of=/dev/null status=all":      "legal: none, noxfer, progress",
		"dd if=/dev/sda of=/dev/null foo=1":           `unknown operand "foo=1"; legal: if, of`,
		"dd --help":                                   `unknown operand "--help"`,
	} {
		_, err := parse(line)
		require.ErrorContains(t, err, want, line)
		require.NotContains(t, err.Error(), "\n", line)
	}
}

func TestReport(t *testing.T) {
	o, err := parse("dd if=/dev/sda of=/dev/null")
	require.NoError(t, err)
	for _, c := range []struct {
		blocks int64
		window time.Duration
		want   string
	}{
		{1, time.Second, "1+0 records in\n1+0 records out\n512 bytes copied, 1 s, 512 B/s\n"},
		{2, time.Second, "2+0 records in\n2+0 records out\n1024 bytes (1.0 kB, 1.0 KiB) copied, 1 s, 1.0 kB/s\n"},
		{8192, 2 * time.Millisecond, "8192+0 records in\n8192+0 records out\n4194304 bytes (4.2 MB, 4.0 MiB) copied, 0.002 s, 2.1 GB/s\n"},
	} {
		var b bytes.Buffer
		require.NoError(t, (&dd{o: o}).report(&b, transfer.Totals{Window: c.window, Transfers: c.blocks, ReadBytes: 512 * c.blocks}))
		require.Equal(t, c.want, b.String())
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"dd if=/dev/sda of=/dev/null count=4096", "dd if=/dev/zero of=/dev/sdb bs=1M conv=fsync", "dd bs=", "dd conv=,", ""} {
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
		if o.ibs < 1 || o.obs < 1 || o.count < -1 || o.skip < 0 || o.seek < 0 {
			t.Fatalf("%q was taken as %+v", line, o)
		}
	})
}
