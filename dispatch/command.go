package dispatch

import (
	"sync/atomic"
	"time"

	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// Command is what the driver gets (struct scsi_cmnd). There is one for each
// request, preallocated, in a table that an index finds.
type Command struct {
	Index   uint32 // in the table; above 0
	Request *Request
	// Serial numbers the commands of a host, above 0, where the strategy gives
	// one; 0 says to error handling that the command has completed.
	Serial uint64
	// Uses counts the requests that this command was for.
	Uses uint64
	// Tag is the command's place among the host's can_queue, where the strategy
	// has tags; otherwise -1.
	Tag int
	// Slots says that slots of host and target were taken for the command; for
	// strategies that may have to know.
	Slots  bool
	Result scsi.Result
	CDB    [16]byte
	// Prepared says that the command was built from its request, and is kept
	// when it is requeued (REQ_DONTPREP).
	Prepared bool
	// Line is the cache line of the command's own fields.
	Line machine.Line
	// Live links the command in its device's list of live commands; for
	// strategies that keep one.
	Live Node
	// HostData is the driver's own while the command is with it
	// (host_scribble).
	HostData int
	// Lost says that the hardware will never answer this command; drivers set it
	// in queuecommand, for faults.
	Lost bool
	// Twice has the driver complete the command a second time, at once; the
	// same.
	Twice bool

	core     int    // that submitted it, and gets its softirq
	nextDone uint32 // in a core's done list, an index
	charged  uint8  // which bodies were charged in this round
	atom     machine.Word
	inDriver bool
	tasks    bool // counted at its device, see taskSet
	full     bool // its device said TASK SET FULL
	retries  int
	tables   int           // scatter/gather tables taken from the pools
	began    time.Duration // when the first attempt was made
	since    int           // changes of can_queue before its admission began
	timer    machine.Timer

	// Of error handling.
	timeout   machine.Timer
	deadline  atomic.Int64 // of the timeout
	cancel    bool         // it timed out: the driver may have it yet (SCSI_EH_CANCEL_CMD)
	recovered bool         // the driver has forgotten it, and its device answers
	forgotten bool         // the driver has forgotten it
	probe     *probe       // whose command it is, or nil
	run       Run
}

// Host and Device are where the command goes.
func (cmd *Command) Host() *Host     { return cmd.Request.Device.Host }
func (cmd *Command) Device() *Device { return cmd.Request.Device }

// Core is the core that submitted the command.
func (cmd *Command) Core() int { return cmd.core }

// Began is when the command was prepared (jiffies_at_alloc), from the start of
// the run; retries do not change it.
func (cmd *Command) Began() time.Duration { return cmd.began }

// Arm starts the command's own hardware timer: after d, [timedDriver.Expire]
// of its host's driver is called.
func (cmd *Command) Arm(t *machine.Thread, d time.Duration) { cmd.timer.Arm(t, d) }

// Prepare builds the command from its request (sd_prep_fn). Strategies call it
// when they first take the request from its queue, where it is not Prepared.
//
// It reports false where there is no memory for the scatter/gather table
// (BLKPREP_DEFER): the request stays at the head of its queue, which is
// plugged if nothing of the device is outstanding.
func (cmd *Command) Prepare(t *machine.Thread) bool {
	if !cmd.Host().sys.sg.alloc(t, cmd) {
		return false
	}
	cmd.Prepared = true
	cmd.retries = 0
	cmd.Result = scsi.Result{}
	cmd.began = t.Now()
	cmd.buildCDB()
	return true
}

// SCSI operation codes [SBC].
const (
	opRead10, opWrite10, opSyncCache = 0x28, 0x2a, 0x35
	opRead16, opWrite16              = 0x88, 0x8a
	opTestUnitReady                  = 0x00
	opRequestSense, opStartUnit      = 0x03, 0x1b
)

func (cmd *Command) buildCDB() {
	rq := cmd.Request
	cmd.CDB = [16]byte{}
	c := cmd.CDB[:]
	switch {
	case rq.Op == TestUnitReady:
		c[0] = opTestUnitReady
	case rq.Op == RequestSense:
		c[0], c[4] = opRequestSense, senseSize
	case rq.Op == StartUnit:
		c[0], c[4] = opStartUnit, 1
	case rq.Op == Flush:
		c[0] = opSyncCache
	case rq.Sector>>32 == 0 && rq.Sectors <= 0xffff:
		c[0] = opRead10
		if rq.Op == Write {
			c[0] = opWrite10
		}
		putBE(c[2:6], uint64(rq.Sector))
		putBE(c[7:9], uint64(rq.Sectors))
	default:
		c[0] = opRead16
		if rq.Op == Write {
			c[0] = opWrite16
		}
		putBE(c[2:10], uint64(rq.Sector))
		putBE(c[10:14], uint64(rq.Sectors))
	}
}

// senseSize is how many bytes of sense data the handler asks for
// (SCSI_SENSE_BUFFERSIZE) [S35].
const senseSize = 96

func putBE(b []byte, v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte(v)
		v >>= 8
	}
}

// DecodeCDB is what a device reads from a command block: the operation, the
// first sector and how many. ok is false for a command that it does not know.
func DecodeCDB(cdb *[16]byte) (op Op, sector int64, sectors int, ok bool) {
	be := func(b []byte) (v uint64) {
		for _, x := range b {
			v = v<<8 | uint64(x)
		}
		return v
	}
	switch cdb[0] {
	case opTestUnitReady:
		return TestUnitReady, 0, 0, true
	case opRequestSense:
		return RequestSense, 0, 0, true
	case opStartUnit:
		return StartUnit, 0, 0, true
	case opSyncCache:
		return Flush, 0, 0, true
	case opRead10, opWrite10:
		op, sector, sectors = Read, int64(be(cdb[2:6])), int(be(cdb[7:9]))
	case opRead16, opWrite16:
		op, sector, sectors = Read, int64(be(cdb[2:10])), int(be(cdb[10:14]))
	default:
		return 0, 0, 0, false
	}
	if cdb[0] == opWrite10 || cdb[0] == opWrite16 {
		op = Write
	}
	return op, sector, sectors, true
}
