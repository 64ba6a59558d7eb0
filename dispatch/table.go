package dispatch

import (
	"sync"
	"sync/atomic"

	"hostlock/machine"
)

// table finds requests by index, without a lock: lists over machine.Word hold
// indices, not pointers. It grows by a chunk when an issuer needs more
// requests than it ever had, which steady state never does.
type table struct {
	mu    sync.Mutex
	pages [maxPages]atomic.Pointer[page]
	used  int // chunks
}

// page is a part of the table, made when it is first needed: a run of a few
// commands, of which exploring does a hundred thousand, needs no megabyte.
type page [pageSize]atomic.Pointer[[chunkSize]Request]

const (
	chunkSize = 4
	pageSize  = 512
	maxPages  = 256
)

// at is the request of an index. Index 0 is none.
func (tb *table) at(index uint32) *Request {
	index--
	chunk := index / chunkSize
	return &tb.pages[chunk/pageSize].Load()[chunk%pageSize].Load()[index%chunkSize]
}

// grow adds a chunk of requests that belong to iss.
func (tb *table) grow(sys *System, iss *Issuer) *[chunkSize]Request {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if tb.used == maxPages*pageSize {
		panic("dispatch: more than 524288 requests at a time")
	}
	chunk := new([chunkSize]Request)
	for i := range chunk {
		rq := &chunk[i]
		rq.issuer = iss
		rq.done.Init()
		cmd := &rq.Cmd
		cmd.Index = uint32(tb.used*chunkSize + i + 1)
		cmd.Request = rq
		cmd.Tag = -1
		cmd.Line.Class = "scsi_cmnd"
		cmd.Live.Value = cmd
		cmd.atom.Init(&cmd.Line, 0)
		cmd.run.init()
		cmd.timer.Init(sys.m, "device", machine.Device, cmd.expire)
	}
	if sys.handlesErrors {
		for i := range chunk {
			cmd := &chunk[i].Cmd
			cmd.timeout.Init(sys.m, "request_timeout", machine.Soft, cmd.expireTimeout)
		}
	}
	pg := &tb.pages[tb.used/pageSize]
	if pg.Load() == nil {
		pg.Store(new(page))
	}
	pg.Load()[tb.used%pageSize].Store(chunk)
	tb.used++
	return chunk
}

// expire is the function of every command's hardware timer.
func (cmd *Command) expire(t *machine.Thread) { cmd.Host().timed.Expire(t, cmd) }
