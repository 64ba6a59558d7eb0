package block

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/dispatch"
)

// slowSegments counts segments byte for byte of the address space, which the
// code under test never looks at: a segment goes on while the next byte lies
// behind the last one, no boundary is crossed, and there is room for the whole
// piece.
func slowSegments(l *Limits, vecs []Vec) int {
	n := 0
	size := 0
	for i, v := range vecs {
		joined := false
		if i > 0 && l.Clustering {
			prev := vecs[i-1]
			lastByte := prev.Addr + uint64(prev.Len) - 1
			joined = lastByte+1 == v.Addr && size+v.Len <= l.MaxSegmentSize
			for at := prev.Addr; joined && at < v.Addr+uint64(v.Len)-1; at += 512 {
				next := min(at+512, v.Addr+uint64(v.Len)-1)
				joined = at&^l.Boundary == next&^l.Boundary
			}
		}
		if !joined {
			n++
			size = 0
		}
		size += v.Len
	}
	return n
}

func drawLimits(t *rapid.T) Limits {
	return Limits{
		MaxSectors:      rapid.SampledFrom([]int{8, 64, 255, 1024}).Draw(t, "max_sectors"),
		MaxHWSectors:    rapid.SampledFrom([]int{64, 1024, 65535}).Draw(t, "max_hw_sectors"),
		MaxPhysSegments: rapid.SampledFrom([]int{1, 2, 8, 128, 1024}).Draw(t, "phys"),
		MaxHWSegments:   rapid.SampledFrom([]int{1, 4, 16, 128, 1024}).Draw(t, "hw"),
		MaxSegmentSize:  rapid.SampledFrom([]int{4096, 12288, 65536}).Draw(t, "segment_size"),
		Boundary:        rapid.SampledFrom([]uint64{4095, 16383, 65535, 1<<32 - 1}).Draw(t, "boundary"),
		Clustering:      rapid.Bool().Draw(t, "clustering"),
	}
}

// piece is what a sector's memory must still be at the end.
type piece struct {
	sector int64
	v      Vec
}

// TestMergingAgainstTheModel throws bios at a list, in any order, and looks at
// what comes out: every piece once and with its sector, in order within each
// request, and no request above any limit by the slow count.
func TestMergingAgainstTheModel(t *testing.T) {
	dev := &dispatch.Device{}
	rapid.Check(t, func(t *rapid.T) {
		l := drawLimits(t)
		pl := &Plug{limits: []Limits{l}}
		memory := &Memory{run: rapid.SampledFrom([]int{0, 1, 3, 8}).Draw(t, "run")}
		passthrough := rapid.Bool().Draw(t, "passthrough")
		want := map[piece]int{}
		for n := rapid.IntRange(1, 24).Draw(t, "bios"); n > 0; n-- {
			op := dispatch.Op(rapid.IntRange(0, 1).Draw(t, "op"))
			sector := int64(8 * rapid.IntRange(0, 64).Draw(t, "sector"))
			b := &Bio{}
			b.Reset(op, dev, sector)
			b.Passthrough = passthrough
			for k := rapid.IntRange(1, 20).Draw(t, "pages"); k > 0; k-- {
				v := Vec{Addr: memory.Page(), Len: PageSize}
				at := sector + int64(b.Sectors())
				if !b.AddPage(&l, v) {
					break
				}
				want[piece{at, v}]++
			}
			if len(b.Vecs) == 0 {
				t.Fatalf("not even a page fits: %+v", l)
			}
			if got := slowSegments(&l, b.Vecs); b.count.segments != got {
				t.Fatalf("bio counts %d segments, the model %d", b.count.segments, got)
			}
			pl.Submit(nil, b)
		}
		for _, r := range pl.list {
			var vecs []Vec
			at := r.sector
			for _, b := range r.bios {
				if b.Op != r.op || b.Sector != at {
					t.Fatalf("a bio of %v at %d in a request of %v at %d", b.Op, b.Sector, r.op, at)
				}
				for _, v := range b.Vecs {
					want[piece{at, v}]--
					at += int64(v.Len / dispatch.SectorSize)
				}
				vecs = append(vecs, b.Vecs...)
			}
			if int(at-r.sector) != r.sectors {
				t.Fatalf("%d sectors counted, %d there", r.sectors, at-r.sector)
			}
			if r.sectors > l.sectors(passthrough) {
				t.Fatalf("%d sectors; limit %d", r.sectors, l.sectors(passthrough))
			}
			mapped := slowSegments(&l, vecs)
			if got := r.mapped(&l); got != mapped {
				t.Fatalf("table of %d entries, the model has %d", got, mapped)
			}
			if mapped > r.phys || r.phys > min(l.MaxPhysSegments, l.MaxHWSegments) {
				t.Fatalf("%d entries, counted as %d; limits %d and %d", mapped, r.phys, l.MaxPhysSegments, l.MaxHWSegments)
			}
		}
		for p, n := range want {
			if n != 0 {
				t.Fatalf("sector %d: its piece is there %d times too few", p.sector, n)
			}
		}
	})
}

func bioAt(dev *dispatch.Device, l *Limits, sector int64, addrs ...uint64) *Bio {
	b := &Bio{}
	b.Reset(dispatch.Write, dev, sector)
	for _, a := range addrs {
		b.AddPage(l, Vec{Addr: a * PageSize, Len: PageSize})
	}
	return b
}

// TestMergeRules walks through what the block layer does, one rule a line.
func TestMergeRules(t *testing.T) {
	dev := &dispatch.Device{}
	wide := Limits{MaxSectors: 1024, MaxHWSectors: 1024, MaxPhysSegments: 128, MaxHWSegments: 128, MaxSegmentSize: 65536, Boundary: 1<<32 - 1, Clustering: true}
	for _, c := range []struct {
		name     string
		change   func(*Limits)
		bios     func(l *Limits) []*Bio
		requests int
		phys     int // of the first
		mapped   int
	}{
		{"back merge", nil, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 9)} }, 1, 2, 2},
		{"front merge", nil, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 8, 9), bioAt(dev, l, 0, 1)} }, 1, 2, 2},
		{"a join side by side costs a segment until it is mapped", nil, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 2)} }, 1, 2, 1},
		{"a gap is no merge", nil, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 16, 2)} }, 2, 1, 1},
		{"a filled gap joins two requests, one segment less", nil, func(l *Limits) []*Bio {
			return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 16, 3), bioAt(dev, l, 8, 2)}
		}, 1, 2, 1},
		{"without clustering none is saved", func(l *Limits) { l.Clustering = false }, func(l *Limits) []*Bio {
			return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 16, 3), bioAt(dev, l, 8, 2)}
		}, 1, 3, 3},
		{"phys limit", func(l *Limits) { l.MaxPhysSegments = 1 }, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 2)} }, 2, 1, 1},
		{"hw limit", func(l *Limits) { l.MaxHWSegments = 1 }, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 9)} }, 2, 1, 1},
		{"sector limit", func(l *Limits) { l.MaxSectors = 8 }, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 9)} }, 2, 1, 1},
		{"boundary", func(l *Limits) { l.Boundary = 8191 }, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1, 2)} }, 1, 2, 2},
		{"segment size", func(l *Limits) { l.MaxSegmentSize = 8192 }, func(l *Limits) []*Bio { return []*Bio{bioAt(dev, l, 0, 1, 2, 3)} }, 1, 2, 2},
		{"refused once, never asked again", func(l *Limits) { l.MaxSectors = 16 }, func(l *Limits) []*Bio {
			return []*Bio{bioAt(dev, l, 0, 1), bioAt(dev, l, 8, 5, 6), bioAt(dev, l, 8, 9)}
		}, 3, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := wide
			if c.change != nil {
				c.change(&l)
			}
			pl := &Plug{limits: []Limits{l}}
			for _, b := range c.bios(&l) {
				pl.Submit(nil, b)
			}
			require.Len(t, pl.list, c.requests)
			require.Equal(t, c.phys, pl.list[0].phys)
			require.Equal(t, c.mapped, pl.list[0].mapped(&l))
		})
	}
}

func TestMemory(t *testing.T) {
	for _, c := range []struct {
		run  int
		want []uint64
	}{{1, []uint64{1, 3, 5, 7}}, {2, []uint64{1, 2, 4, 5}}, {0, []uint64{0, 1, 2, 3}}} {
		m := &Memory{run: c.run}
		for _, want := range c.want {
			require.Equal(t, want*PageSize, m.Page())
			m.Back()
			require.Equal(t, want*PageSize, m.Page())
		}
	}
}
