package ffsb

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
)

// busy is a profile whose readers and writers meet in few blocks; what else it
// does is to be added.
const busy = `time=1
directio=1
[filesystem]
location=/a
num_files=%d
min_filesize=64k
max_filesize=64k
[end]
[threadgroup]
num_threads=12
write_random=1
write_weight=3
write_size=32k
write_blocksize=8k
read_random=1
read_weight=2
read_size=16k
read_blocksize=4k
%s
[end]
`

func TestVerifiedRuns(t *testing.T) {
	text := fmt.Sprintf(busy, 20, "create_weight=2\nreadall_weight=2\nappend_weight=1\ndelete_weight=1")
	for _, s := range dispatch.Strategies() {
		t.Run(s.Name, func(t *testing.T) {
			r := bench{strategy: s.Name, driver: "ramdisk", set: map[string]string{"fs.verify": "true"}, duration: 100 * time.Millisecond / slower}.run(t, of(t, text))
			require.NoError(t, r.Err())
			n := r.counts()
			require.Greater(t, n["verify.sectors"], int64(10000/slower))
			require.Zero(t, n["verify.violations"])
		})
	}
}

func TestVerifyNeedsData(t *testing.T) {
	r := bench{driver: "null", set: map[string]string{"fs.verify": "true"}, duration: 2 * time.Millisecond}.run(t, builtin(t, "seqread"))
	require.ErrorContains(t, r.Err(), "legal: a driver that stores data, such as ramdisk")
}

func TestVerifyFindsPlantedFaults(t *testing.T) {
	text := fmt.Sprintf(busy, 2, "")
	verifying := quick
	verifying.verify = true
	for name, tamper := range map[string]func(d *fakeDisks) func(int, int64, []byte){
		"": func(*fakeDisks) func(int, int64, []byte) { return nil },
		"superseded before the read began": func(d *fakeDisks) func(int, int64, []byte) {
			old := map[int64][]byte{}
			reads := map[int64]int{}
			return func(dev int, sector int64, data []byte) {
				// The first content that was seen comes again, much later.
				if reads[sector]++; old[sector] == nil {
					old[sector] = append([]byte(nil), data...)
				} else if reads[sector] == 20 {
					copy(data, old[sector])
				}
			}
		},
		"torn between writes": func(d *fakeDisks) func(int, int64, []byte) {
			n := 0
			return func(dev int, sector int64, data []byte) {
				if n++; n == 1000 {
					data[300]++
				}
			}
		},
		"written elsewhere": func(d *fakeDisks) func(int, int64, []byte) {
			n := 0
			return func(dev int, sector int64, data []byte) {
				if n++; n == 1000 {
					copy(data, d.data[[2]int64{0, sector + 1}])
				}
			}
		},
	} {
		t.Run("planted: "+name, func(t *testing.T) {
			disks := newFakeDisks(1, 1<<20, 1024)
			disks.time = 50 * time.Microsecond
			disks.tamper = tamper(disks)
			m, r, err := onFakes(t, text, disks, verifying)
			require.NoError(t, err)
			require.NoError(t, r.start())
			runFor(t, m, 30*time.Millisecond)
			if name == "" {
				require.NoError(t, r.Err())
				return
			}
			require.ErrorContains(t, r.Err(), name)
		})
	}
}

// What a read may return is decided by the order of beginnings and ends alone.
func TestCheckerOnOverlaps(t *testing.T) {
	judge := func(c *checker, began, seq uint64) fault {
		sector := make([]byte, sectorSize)
		if seq > 0 {
			putStamp(sector, 0, 5, 1, seq)
		}
		before := c.devs[0].faults
		c.endRead(0, 5, sector, began)
		for f := range faults {
			if c.devs[0].faults[f] != before[f] {
				return f
			}
		}
		panic("nothing was judged")
	}
	t.Run("before any write", func(t *testing.T) {
		c := newChecker(1)
		require.Equal(t, intact, judge(c, c.beginRead(0), 0))
		require.Equal(t, garbled, judge(c, c.beginRead(0), 3))
	})
	t.Run("a write in flight may or may not show", func(t *testing.T) {
		c := newChecker(1)
		w := c.beginWrite(0, 5, 1)
		require.Equal(t, intact, judge(c, c.beginRead(0), 0))
		require.Equal(t, intact, judge(c, c.beginRead(0), w))
		during := c.beginRead(0)
		c.endWrite(0, 5, 1, w)
		require.Equal(t, intact, judge(c, during, 0), "the read began before the write ended")
		require.Equal(t, stale, judge(c, c.beginRead(0), 0))
		require.Equal(t, intact, judge(c, c.beginRead(0), w))
	})
	t.Run("writes that overlap do not supersede each other", func(t *testing.T) {
		c := newChecker(1)
		a, b := c.beginWrite(0, 5, 1), c.beginWrite(0, 5, 1)
		c.endWrite(0, 5, 1, a)
		c.endWrite(0, 5, 1, b)
		require.Equal(t, intact, judge(c, c.beginRead(0), a))
		require.Equal(t, intact, judge(c, c.beginRead(0), b))
		w := c.beginWrite(0, 5, 1)
		require.Equal(t, intact, judge(c, c.beginRead(0), a))
		c.endWrite(0, 5, 1, w)
		require.Equal(t, stale, judge(c, c.beginRead(0), a))
		require.Equal(t, stale, judge(c, c.beginRead(0), b))
		require.Len(t, c.devs[0].sectors[5].writes, 1, "what nobody can see any more is forgotten")
	})
	t.Run("a write that began after the read", func(t *testing.T) {
		c := newChecker(1)
		r := c.beginRead(0)
		w := c.beginWrite(0, 5, 1)
		c.endWrite(0, 5, 1, w)
		require.Equal(t, intact, judge(c, r, w))
	})
	t.Run("a write that failed never ends", func(t *testing.T) {
		c := newChecker(1)
		w := c.beginWrite(0, 5, 1)
		require.Equal(t, intact, judge(c, c.beginRead(0), 0))
		require.Equal(t, intact, judge(c, c.beginRead(0), w))
	})
}
