package ffsb

import "hostlock/dispatch"

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
