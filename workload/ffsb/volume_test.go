package ffsb

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/machine"
)

func TestPlacement(t *testing.T) {
	disk := func(name string, blocks int64) device {
		return device{name: name, sectors: blocks * sectorsPerBlock, most: 1024}
	}
	three := []device{disk("a", 1000), disk("b", 1000), disk("c", 1000)}

	t.Run("round robin", func(t *testing.T) {
		vols, notes, err := place(make([]need, 4), three, nil)
		require.NoError(t, err)
		require.Empty(t, notes)
		require.Equal(t, []part{{dev: 0, blocks: 500}}, vols[0].parts)
		require.Equal(t, []part{{dev: 1, blocks: 1000}}, vols[1].parts)
		require.Equal(t, []part{{dev: 2, blocks: 1000}}, vols[2].parts)
		require.Equal(t, []part{{dev: 0, sector: 4000, blocks: 500}}, vols[3].parts)
	})
	t.Run("as the experiment says", func(t *testing.T) {
		vols, _, err := place(make([]need, 2), three, []int{2, 0})
		require.NoError(t, err)
		require.Equal(t, 2, vols[0].parts[0].dev)
		require.Equal(t, 0, vols[1].parts[0].dev)
		_, _, err = place(make([]need, 1), three, []int{3})
		require.ErrorContains(t, err, "legal: 0 to 2")
	})
	t.Run("over several devices where it does not fit", func(t *testing.T) {
		vols, notes, err := place([]need{{location: "/mnt/x", blocks: 1500}}, three, nil)
		require.NoError(t, err)
		require.Equal(t, []part{{dev: 0, blocks: 1000}, {dev: 1, first: 1000, blocks: 1000}}, vols[0].parts)
		require.Len(t, notes, 1)
		require.Equal(t, 0, vols[0].at(999).dev)
		require.Equal(t, 1, vols[0].at(1000).dev)
	})
	t.Run("nowhere", func(t *testing.T) {
		_, _, err := place([]need{{location: "/mnt/x", blocks: 2900}}, three, nil)
		require.ErrorContains(t, err, "the files of /mnt/x need 11.33 MiB, and there are only 11.72 MiB for them on LUN a, b, c; legal: larger devices")
		_, _, err = place(nil, nil, nil)
		require.Error(t, err)
	})
}

// Every request of a file lies inside its volume, inside the device's limit,
// and they cover the bytes asked for.
func TestResolveCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 40).Draw(t, "most")
		devs := []device{{"a", 100 * sectorsPerBlock, most}, {"b", 60 * sectorsPerBlock, most}}
		fs := &filesystem{devs: devs}
		fs.vol.add(0, 40*sectorsPerBlock, 60)
		fs.vol.add(1, 0, 60)
		fs.space = newSpace(120)
		// Other files in between make several extents.
		var f, other file
		for range rapid.IntRange(1, 8).Draw(t, "extents") {
			fs.grow(&f, rapid.Int64Range(1, 8*BlockSize).Draw(t, "grow"))
			fs.grow(&other, BlockSize)
		}
		off := rapid.Int64Range(0, f.size-1).Draw(t, "off")
		n := rapid.Int64Range(1, f.size-off).Draw(t, "n")
		pieces := fs.resolve(nil, &f, off, n)
		at := off / sectorSize
		for _, p := range pieces {
			require.LessOrEqual(t, p.sectors, most)
			require.Positive(t, p.sectors)
			for i := range int64(p.sectors) {
				b := at / sectorsPerBlock
				e := f.at(uint32(b))
				vb := int64(e.start) + b - int64(e.logical)
				part := fs.vol.at(vb)
				require.Equal(t, part.dev, p.dev)
				require.Equal(t, part.sector+(vb-part.first)*sectorsPerBlock+at%sectorsPerBlock, p.sector+i)
				at++
			}
		}
		require.Equal(t, (off+n+sectorSize-1)/sectorSize, at)
	})
}

func TestRandomOffset(t *testing.T) {
	r := machine.Rand(1, "test")
	for range 1000 {
		o := randomOffset(r, 10000, true)
		require.Zero(t, o%4096)
		require.Less(t, o, int64(8192), "FFSB draws among whole 4096 bytes of the span")
		require.Less(t, randomOffset(r, 100, false), int64(100))
	}
	require.Zero(t, randomOffset(r, 0, false))
	require.Zero(t, randomOffset(r, 4095, true))
}
