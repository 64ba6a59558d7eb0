package dispatch

import (
	"fmt"

	"hostlock/machine/param"
)

// HostTemplate is what a low-level driver says about its hosts, in the
// kernel's words (struct scsi_host_template). A value that the run's
// parameters "host.*" give replaces it.
type HostTemplate struct {
	CanQueue       int    // commands active on the host at a time; 0 or less is unlimited
	CmdPerLUN      int    // a device's queue depth; never 0
	QueueDepth     int    // what the driver raises a device's depth to when it configures it; 0 leaves CmdPerLUN
	TargetCanQueue int    // commands active on a target at a time; 0 is unlimited
	SGTableSize    int    // scatter/gather entries a command
	MaxSectors     int    // 512-byte sectors a command; 0 is 1024
	MaxSegmentSize int    // bytes a segment
	DMABoundary    uint64 // mask that no segment may cross
	UseClustering  bool   // neighbouring pages may share a segment
	ThisID         int    // the host's own id on its bus, -1 for none

	MaxHostBlocked int // what HostBusy sets the host's blocked counter to; 0 is 7

	// NeedsHostLock says that queuecommand relies on the host lock. Where it
	// is false the driver has locks of its own; it is the flag
	// unlocked_qcmds of the patch, turned round.
	NeedsHostLock bool
	// HostLockReason says what of it relies on the lock, in a few words.
	HostLockReason string
}

// boundaries are the masks that host.dma_boundary names.
var boundaries = map[string]uint64{"4k": 1<<12 - 1, "64k": 1<<16 - 1, "1m": 1<<20 - 1, "16m": 1<<24 - 1, "none": 1<<32 - 1}

// BoundaryName is what host.dma_boundary calls the mask; "template" where it has
// no name for it.
func (ht *HostTemplate) BoundaryName() string {
	for name, m := range boundaries {
		if m == ht.DMABoundary {
			return name
		}
	}
	return "template"
}

// check refuses a template that no such kernel could run.
func (ht *HostTemplate) check(p *param.Set) error {
	if most, why := sgLimit(p); ht.SGTableSize > most {
		return param.Errorf("host.sg_tablesize", fmt.Sprintf("1 to %d %s", most, why), "sg_tablesize %d", ht.SGTableSize)
	}
	// A driver's own depth may exceed a can_queue that was scaled down; a depth
	// that was asked for may not.
	if p.Int("host.cmd_per_lun") > 0 && ht.CanQueue > 0 && ht.CmdPerLUN > ht.CanQueue {
		return param.Errorf("host.cmd_per_lun", fmt.Sprintf("1 to %d", ht.CanQueue), "host.cmd_per_lun=%d is above can_queue, which is %d", ht.CmdPerLUN, ht.CanQueue)
	}
	return nil
}

// defaultMaxSectors is SCSI_DEFAULT_MAX_SECTORS [S35].
const defaultMaxSectors = 1024

// withParams is the template with the run's own values, and every default
// filled in.
func (ht HostTemplate) withParams(p *param.Set) HostTemplate {
	over := func(v *int, name string) {
		if n := p.Int(name); n >= 0 {
			*v = n
		}
	}
	over(&ht.CanQueue, "host.can_queue")
	if n := p.Int("host.cmd_per_lun"); n > 0 {
		ht.CmdPerLUN, ht.QueueDepth = n, n
	}
	over(&ht.TargetCanQueue, "host.target_can_queue")
	over(&ht.SGTableSize, "host.sg_tablesize")
	over(&ht.MaxSectors, "host.max_sectors")
	over(&ht.MaxSegmentSize, "host.max_segment_size")
	if n := p.Int("host.max_host_blocked"); n > 0 {
		ht.MaxHostBlocked = n
	}
	if mask, ok := boundaries[p.Choice("host.dma_boundary")]; ok {
		ht.DMABoundary = mask
	}
	switch p.Choice("host.needs_host_lock") {
	case "true":
		ht.NeedsHostLock = true
	case "false":
		ht.NeedsHostLock = false
	}
	switch p.Choice("host.use_clustering") {
	case "true":
		ht.UseClustering = true
	case "false":
		ht.UseClustering = false
	}
	if ht.CmdPerLUN <= 0 {
		ht.CmdPerLUN = 1
	}
	if ht.QueueDepth <= 0 {
		ht.QueueDepth = ht.CmdPerLUN
	}
	if ht.MaxSectors == 0 {
		ht.MaxSectors = defaultMaxSectors
	}
	if ht.SGTableSize == 0 {
		ht.SGTableSize = 1
	}
	if ht.MaxSegmentSize == 0 {
		ht.MaxSegmentSize = 65536
	}
	if ht.MaxHostBlocked == 0 {
		ht.MaxHostBlocked = 7
	}
	return ht
}
