package lld

import (
	"sync"
	"sync/atomic"

	"hostlock/dispatch"
	"hostlock/dispatch/cost"
	"hostlock/dispatch/scsi"
	"hostlock/dispatch/tally"
	"hostlock/machine"
	"hostlock/machine/param"
)

// ramdisk stores what is written and gives it back: every device is a sparse
// array of blocks in memory, zero where nothing was written. Template values
// are tcm_loop's of 3.0 [S30], the lockless driver before a RAM disk:
// can_queue 1024, cmd_per_lun 1024, 256 scatter/gather entries, 1024 sectors.
func init() {
	specs := []param.Spec{{
		Name: "ramdisk.queuecommand", Kind: param.Duration, Default: "300ns",
		About: "work of queuecommand", Source: "a choice: a call that only hands the command on",
	}}
	specs = append(specs, mediaParams("ramdisk", "20us", "a choice: a hand-over to another thread and a copy of 4 KiB")...)
	dispatch.RegisterDriver(dispatch.DriverInfo{
		Name:       "ramdisk",
		About:      "stores data in memory and gives it back, so that what is read can be verified",
		Section:    "ramdisk_queuecommand",
		StoresData: true,
		Template: dispatch.HostTemplate{
			CanQueue: 1024, CmdPerLUN: 1024, SGTableSize: 256, MaxSectors: 1024,
			MaxSegmentSize: 65536, DMABoundary: 0xffffffff, UseClustering: true, ThisID: -1,
		},
		Params: append(specs, recoveryParams("ramdisk")...),
		New: func(h *dispatch.Host, p *param.Set) (dispatch.Driver, error) {
			d := &ramdisk{
				media: newMedia("ramdisk", h, p), recovery: newRecovery("ramdisk", h, p),
				work: cost.New(machine.Dist{Mean: p.Duration("ramdisk.queuecommand"), Shape: machine.Fixed}),
			}
			for _, dev := range h.Devices {
				d.disks = append(d.disks, newDisk(dev.Capacity))
			}
			return d, nil
		},
	})
}

type ramdisk struct {
	media media
	*recovery
	work  cost.Cost
	disks []*disk
}

//go:noinline
func (d *ramdisk) QueueCommand(t *machine.Thread, cmd *dispatch.Command) dispatch.Code {
	if code := d.refuse(t); code != dispatch.Accepted {
		return code
	}
	d.work.Spend(t)
	cmd.Result = d.result(t, cmd)
	d.arm(t, cmd, d.media.takes(t, cmd))
	return dispatch.Accepted
}

// Expire moves the data and completes the command.
func (d *ramdisk) Expire(t *machine.Thread, cmd *dispatch.Command) {
	moveData(d.disks[cmd.Device().Index], cmd)
	cmd.Done(t)
}

// moveData moves a command's data, as the command block says. A command that
// is to fail moves nothing.
func moveData(disk *disk, cmd *dispatch.Command) {
	op, sector, sectors, ok := dispatch.DecodeCDB(&cmd.CDB)
	data := cmd.Request.Data
	switch {
	case !ok:
		cmd.Result = scsi.Result{Host: scsi.DidError}
	case cmd.Result != scsi.Result{} || data == nil || op == dispatch.Flush:
	default:
		data = data[:sectors*dispatch.SectorSize]
		for at := sector * dispatch.SectorSize; len(data) > 0; {
			n := disk.move(op == dispatch.Write, at, data)
			at, data = at+int64(n), data[n:]
		}
	}
}

// A disk is allocated by extents, which are found through regions. The mutex
// of an extent is hardware: it makes a block's contents one write's or
// another's, and is never waited for but on the live machine.
const (
	extentSize = 16 << 10
	regionSize = 64 << 20
)

type disk struct {
	regions []atomic.Pointer[region]
}

type region [regionSize / extentSize]atomic.Pointer[extent]

type extent struct {
	mu   sync.Mutex //lab:free what is stored is for checks, and no disk of the model's
	data [extentSize]byte
}

func newDisk(sectors int64) *disk {
	return &disk{regions: make([]atomic.Pointer[region], (sectors*dispatch.SectorSize+regionSize-1)/regionSize)}
}

// move copies between data and the disk, to the end of an extent at most, and
// says how much.
func (d *disk) move(write bool, at int64, data []byte) int {
	off := at % extentSize
	n := min(len(data), int(extentSize-off))
	e := d.extent(at, write)
	if e == nil {
		clear(data[:n])
		return n
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if write {
		return copy(e.data[off:], data[:n])
	}
	return copy(data[:n], e.data[off:])
}

// extent is the one of a position, nil where nothing was written there and it
// is not to be made.
func (d *disk) extent(at int64, create bool) *extent {
	r := made(&d.regions[at/regionSize], create)
	if r == nil {
		return nil
	}
	return made(&r[at%regionSize/extentSize], create)
}

// made is what a place holds.
//
//lab:free as extent's lock is
func made[T any](p *atomic.Pointer[T], create bool) *T {
	v := p.Load()
	if v == nil && create {
		v = new(T)
		if !p.CompareAndSwap(nil, v) {
			v = p.Load()
		}
	}
	return v
}

// Service says what the devices did, for [dispatch.System.DeviceService].
func (d *ramdisk) Service() tally.Service { return d.media.service() }
