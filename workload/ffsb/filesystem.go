package ffsb

import (
	"sync"

	"hostlock/workload/ffsb/profile"
)

// filesystem is one [filesystem] of a profile, on its devices.
type filesystem struct {
	conf *profile.Filesystem
	vol  volume
	devs []device // all of the system, by index
	data filelist
	meta filelist

	// mu guards the space and the files' sizes and extents, where the kernel
	// has locks of its own that this model leaves out. No machine operation
	// happens under it, so it takes no virtual time, and on a simulated machine
	// nobody ever waits for it.
	mu    sync.Mutex
	space *space
	dirs  int64 // directories made by createdir
}

// piece is one request's worth of a file.
type piece struct {
	dev     int
	sector  int64
	sectors int
}

// resolve finds where the sectors of a file that bytes [off, off+n) touch are
// on the devices, as the requests that it takes to move them, in order. It
// appends to dst.
func (fs *filesystem) resolve(dst []piece, f *file, off, n int64) []piece {
	from, to := off/sectorSize, (off+n+sectorSize-1)/sectorSize
	for from < to {
		block := from / sectorsPerBlock
		e := f.at(uint32(block))
		in := block - int64(e.logical)
		at := int64(e.start) + in // in the volume
		p := fs.vol.at(at)
		run := min(int64(e.blocks)-in, p.first+p.blocks-at) // blocks in one piece of one device
		sectors := min(run*sectorsPerBlock-from%sectorsPerBlock, to-from)
		sector := p.sector + (at-p.first)*sectorsPerBlock + from%sectorsPerBlock
		for sectors > 0 {
			k := min(sectors, int64(fs.devs[p.dev].most))
			dst = append(dst, piece{dev: p.dev, sector: sector, sectors: int(k)})
			sector, sectors, from = sector+k, sectors-k, from+k
		}
	}
	return dst
}

// size is how many bytes the file has now.
func (fs *filesystem) size(f *file) int64 {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return f.size
}

// grow gives the file more bytes at its end and returns where they begin. It
// reports false where the file system is full.
func (fs *filesystem) grow(f *file, bytes int64) (off int64, ok bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	off = f.size
	if more := blocksFor(off+bytes) - f.blocks(); more > 0 && !fs.space.take(&f.layout, more) {
		return off, false
	}
	f.size += bytes
	return off, true
}

// truncate takes the file's blocks away.
func (fs *filesystem) truncate(f *file) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.each(func(e extent) { fs.space.give(int64(e.start), int64(e.blocks)) })
	f.layout, f.size = layout{}, 0
}
