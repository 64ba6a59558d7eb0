package fio

import (
	"math/bits"
	"math/rand/v2"
)

// permutation is an order of the numbers 0 to n-1 that needs no memory of those
// that were: a Feistel network over the next power of four, whose outputs beyond
// n are passed over (Black and Rogaway, "Ciphers with arbitrary finite domains",
// 2002).
type permutation struct {
	n, at int64
	half  uint
	keys  [4]uint64
}

func newPermutation(n int64, r *rand.Rand) *permutation {
	p := &permutation{n: n, half: uint(bits.Len64(uint64(max(n-1, 1)))+1) / 2}
	p.reset(r)
	return p
}

func (p *permutation) reset(r *rand.Rand) {
	p.at = 0
	for i := range p.keys {
		p.keys[i] = r.Uint64()
	}
}

// next is the next number; after the last one another order begins, or ok is
// false.
func (p *permutation) next(r *rand.Rand, again bool) (n int64, ok bool) {
	if p.at == p.n {
		if !again {
			return 0, false
		}
		p.reset(r)
	}
	x := uint64(p.at)
	p.at++
	for {
		if x = p.mix(x); x < uint64(p.n) {
			return int64(x), true
		}
	}
}

func (p *permutation) mix(x uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	left, right := x>>p.half, x&mask
	for _, k := range p.keys {
		left, right = right, left^scatter(right^k)&mask
	}
	return left<<p.half | right
}

// blockMap is which blocks of a file had an operation in this pass. A second
// level has a bit for each full word, so that the next free block is found in a
// few steps.
type blockMap struct {
	n, left int64
	words   []uint64
	full    []uint64
}

// Bounds of a map. As fio's fills, its free places are found one behind the
// other, which a permutation does not show: a file of up to 2^22 blocks, half a
// megabyte of map, has one. Blocks of several sizes need one; 2^28 of them are
// 32 MiB, and beyond that hardly any would come twice.
const (
	smallMap = 1 << 22
	maxMap   = 1 << 28
)

func newBlockMap(n int64) *blockMap {
	m := &blockMap{n: n, words: make([]uint64, (n+63)/64)}
	m.full = make([]uint64, (len(m.words)+63)/64)
	m.clear()
	return m
}

func (m *blockMap) clear() {
	clear(m.words)
	clear(m.full)
	m.left = m.n
	if r := m.n % 64; r != 0 {
		m.words[len(m.words)-1] = ^uint64(0) << r // beyond the end
	}
	for i := len(m.words); i < 64*len(m.full); i++ {
		m.full[i/64] |= 1 << (i % 64)
	}
}

// free is the first block from b on, and round the end, that had none; there is
// one.
func (m *blockMap) free(b int64) int64 {
	b %= m.n
	w := int(b / 64)
	if rest := ^m.words[w] >> (b % 64); rest != 0 {
		return b + int64(bits.TrailingZeros64(rest))
	}
	for i := range len(m.words) { // word after word within the first 64, then by whole groups
		w++
		if w == len(m.words) {
			w = 0
		}
		if w%64 == 0 && i > 0 {
			for m.full[w/64] == ^uint64(0) {
				if w += 64; w >= len(m.words) {
					w = 0
				}
			}
			w = w/64*64 + bits.TrailingZeros64(^m.full[w/64])
		}
		if rest := ^m.words[w]; rest != 0 {
			return int64(w)*64 + int64(bits.TrailingZeros64(rest))
		}
	}
	return b
}

// mark marks up to n blocks from b on, as far as they are free, and says how
// many.
func (m *blockMap) mark(b, n int64) int64 {
	i := int64(0)
	for ; i < n && b+i < m.n && m.words[(b+i)/64]>>((b+i)%64)&1 == 0; i++ {
		w := (b + i) / 64
		if m.words[w] |= 1 << ((b + i) % 64); m.words[w] == ^uint64(0) {
			m.full[w/64] |= 1 << (w % 64)
		}
	}
	m.left -= i
	return i
}
