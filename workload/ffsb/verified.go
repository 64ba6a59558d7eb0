package ffsb

import (
	"encoding/binary"

	"hostlock/dispatch"
)

// checkedIO is the I/O of one block with stamps: the pieces are those of the
// block at hand.
func (th *thread) checkedIO(write bool) error {
	if write {
		return th.stampedWrite()
	}
	return th.checkedRead()
}

func (th *thread) stampedWrite() error {
	check := th.run.check
	th.marks = th.marks[:0]
	data := th.data
	for _, p := range th.pieces {
		seq := check.beginWrite(p.dev, p.sector, p.sectors)
		th.marks = append(th.marks, seq)
		for i := range p.sectors {
			putStamp(data[i*sectorSize:], p.dev, p.sector+int64(i), th.number, seq)
		}
		n := p.sectors * sectorSize
		th.port.submit(th.t, p.dev, dispatch.Write, p.sector, p.sectors, data[:n:n])
		data = data[n:]
	}
	if err := th.port.wait(th.t); err != nil {
		return err // which of them failed is not known: none of them ever ends
	}
	for i, p := range th.pieces {
		check.endWrite(p.dev, p.sector, p.sectors, th.marks[i])
	}
	return nil
}

func (th *thread) checkedRead() error {
	check := th.run.check
	th.marks = th.marks[:0]
	data := th.data
	for _, p := range th.pieces {
		th.marks = append(th.marks, check.beginRead(p.dev))
		n := p.sectors * sectorSize
		poison(data[:n])
		th.port.submit(th.t, p.dev, dispatch.Read, p.sector, p.sectors, data[:n:n])
		data = data[n:]
	}
	err := th.port.wait(th.t)
	data = th.data
	for i, p := range th.pieces {
		n := p.sectors * sectorSize
		got := data[:n]
		if err != nil {
			got = nil
		}
		check.endRead(p.dev, p.sector, got, th.marks[i])
		data = data[n:]
	}
	return err
}

// stamp is what a verified run writes into every sector: who wrote it, where
// to, and as which write. It stands at the sector's beginning and its end, so
// that a sector that is half of one write and half of another shows.
//
// All numbers are little endian; the rest of the sector repeats the sequence.
const (
	stampMagic = 0x68736f6c746b6363 // any fixed value but zero
	stampWords = sectorSize / 8
)

// Words of a sector.
const (
	wordMagic = iota
	wordDevice
	wordSector
	wordThread
	wordSequence // from here to the end of the sector
)

func putStamp(sector []byte, dev int, at int64, thread int, seq uint64) {
	le := binary.LittleEndian
	le.PutUint64(sector, stampMagic)
	le.PutUint64(sector[8*wordDevice:], uint64(dev))
	le.PutUint64(sector[8*wordSector:], uint64(at))
	le.PutUint64(sector[8*wordThread:], uint64(thread))
	for w := wordSequence; w < stampWords; w++ {
		le.PutUint64(sector[8*w:], seq)
	}
}

// fault says what is wrong with a sector that was read.
type fault uint8

const (
	intact    fault = iota
	untouched       // nothing was read into the buffer at all
	torn            // parts of different writes
	misplaced       // written elsewhere
	garbled         // never written by this run
	stale           // superseded before the read began
	faults
)

var faultNames = [faults]string{"intact", "not read into memory", "torn between writes", "written elsewhere", "not written by anyone", "superseded before the read began"}

// poison fills a buffer before a read: a driver that stores nothing leaves it.
func poison(buf []byte) {
	for i := range buf {
		buf[i] = 0xA5
	}
}

// readStamp finds which write a sector holds; 0 is what was there before any.
func readStamp(sector []byte, dev int, at int64) (seq uint64, f fault) {
	le := binary.LittleEndian
	word := func(i int) uint64 { return le.Uint64(sector[8*i:]) }
	magic := word(wordMagic)
	seq = word(wordSequence)
	for w := wordSequence + 1; w < stampWords; w++ {
		if word(w) != seq {
			return 0, torn
		}
	}
	switch magic {
	case stampMagic:
	case 0xA5A5A5A5A5A5A5A5:
		return 0, untouched
	case 0:
		if seq != 0 {
			return 0, torn
		}
		return 0, intact
	default:
		return 0, garbled
	}
	if word(wordDevice) != uint64(dev) || word(wordSector) != uint64(at) {
		return 0, misplaced
	}
	return seq, intact
}
