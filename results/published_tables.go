package results

// hostLock is the headline. The sums and the gain follow from the other rows:
// ten figures are independent.
var hostLock = Published{
	Name:   "chen-2010",
	Title:  "dropping host_lock before queuecommand",
	Author: "Tim Chen, quoted in full by Nicholas Bellinger",
	Date:   "16 September 2010",
	List:   "linux-scsi",
	Kernel: "2.6.35",
	Test:   "FFSB, 128 threads writing to 128 files on 16 SSDs, a JBOD behind an mptsas HBA, 64 cores",
	Change: "mptsas sets unlocked_qcmds on its host; scsi_dispatch_cmd then releases host_lock before it calls queuecommand, instead of after",

	Figures: slicesOf(
		hostLockCase("before", Band{Abs: 1.2}, 0.15, 5.5, 6.1, 6.6, 5.5),
		Figure{Case: "before", Metric: "host_lock_pct", Label: "sum, 2.6.35", Value: 23.7, Band: Band{Abs: 1.0}, Follows: functionRows("before")},
		Figure{Case: "before", Metric: "iops", Label: "I/O per second, 2.6.35", Value: 62900, Band: Band{Rel: 3}},
		hostLockCase("after", Band{Abs: 0.3}, 0.015, 0.44, 0.66, 0.35, 0.35),
		Figure{Case: "after", Metric: "host_lock_pct", Label: "sum, with the patch", Value: 1.8, Band: Band{Abs: 0.3}, Follows: functionRows("after")},
		Figure{Case: "after", Metric: "iops", Label: "I/O per second, with the patch", Value: 69600, Band: Band{Rel: 3}},
		Figure{Case: "after", Against: "before", Metric: "iops" + gainSuffix, Label: "gain of I/O per second", Value: 10.6, Band: Band{Abs: 1.5}, Follows: []string{"before.iops", "after.iops"}},
	),
	NotGiven: []string{
		"block size",
		"buffered or direct I/O",
		"file system",
		"CPU model and sockets",
		"HBA queue depth",
		"idle share",
		"how cycles were sampled",
	},
	Notes: []string{
		"the shares are read as shares of busy time: sampled as perf does, halted cycles do not count",
		"if all freed cycles became I/O, the gain would be (1-0.018)/(1-0.237)-1 = 28.7 %; it was 10.6 %, so the closed loop has a second, larger term",
	},
	Conflicts: []string{
		"the table forces about 15 us of lock time an I/O before the patch and 10 us after it, hand-offs included; what is known of the driver suggests 0.5 to 1.5 us for queuecommand and 25 to 65 ns a waiter for a hand-off: both cannot hold, and the fitted values side with the table",
		"at 64 cores the gaps between the sections barely shift their shares, so that scsi_device_unbusy after the patch, 0.66, stands out: natural models put it among the lowest",
	},
}

// hostLockCase is one column of the table: the four functions. Scatter is the
// widest of their ranges over seeds 1 to 8, at the headline's own two seconds.
func hostLockCase(name string, band Band, scatter float64, dispatch, unbusy, request, run float64) []Figure {
	part := func(function string, v float64) Figure {
		return Figure{Case: name, Metric: function + "_pct", Label: function, Value: v, Band: band, Scatter: scatter, PartOf: name + ".host_lock_pct"}
	}
	return []Figure{
		part("scsi_dispatch_cmd", dispatch), part("scsi_device_unbusy", unbusy),
		part("scsi_request_fn", request), part("scsi_run_queue", run),
	}
}

// functionRows names the rows that a column's sum is made of.
func functionRows(name string) []string {
	rows := make([]string, len(Functions))
	for i, f := range Functions {
		rows[i] = name + "." + f + "_pct"
	}
	return rows
}

// slicesOf joins figures and columns of figures in order.
func slicesOf(parts ...any) []Figure {
	var out []Figure
	for _, p := range parts {
		switch p := p.(type) {
		case Figure:
			out = append(out, p)
		case []Figure:
			out = append(out, p...)
		}
	}
	return out
}

// transferSize is the survey behind the larger scatter/gather lists. Its
// cases are named by direction and size of a transfer.
var transferSize = Published{
	Name:   "transfer-size",
	Title:  "larger scatter/gather lists (SCSI_LARGE_SG)",
	Author: "Johann Lombardi (Bull)",
	Date:   "April 2007 (patch of February; the survey: lustre-discuss, January 2007)",
	List:   "linux-scsi",
	Kernel: "2.6.20",
	Test:   "sgp_dd, DDN S2A9550, lpfc with LPFC_SG_SEG_CNT = 1024, 32 threads on 32 regions, write-back caching disabled",
	Change: "SCSI_MAX_PHYS_SEGMENTS from 128 to 1024, with sg pools of 512 and 1024 entries, so that 4 MiB go in one command though every page is apart",

	Guess: "a command takes the same time whatever its size, and so throughput doubles with it; told the first row of each direction",

	Figures: []Figure{
		sized("write-512k", "write, 512 KB", 36, 36), sized("write-1m", "write, 1 MB", 60, 72),
		sized("write-2m", "write, 2 MB", 96, 144), sized("write-4m", "write, 4 MB", 144, 288),
		sized("read-512k", "read, 512 KB", 108, 108), sized("read-1m", "read, 1 MB", 108, 216),
		sized("read-2m", "read, 2 MB", 165, 432), sized("read-4m", "read, 4 MB", 228, 864),
	},
	NotGiven: []string{
		"block size of the LUNs and how many there were",
		"HBA model and link speed, queue depth",
		"array set-up: disks a LUN, RAID level, firmware",
		"CPU model and cores",
		"total amount transferred, and the spread over runs",
		"whether MB is 10^6 or 2^20 bytes",
	},
	Notes: []string{
		"time a command at the array is close to a + b x size: writes 12.6 ms + 3.85 ms/MB, reads 6.5 ms + 2.75 ms/MB from 1 MB up: five values for eight rows, a description more than a prediction",
		"the objection in the thread: raising the phys limit does nothing for a fully fragmented list unless the driver's hw segment limit rises with it",
	},
	Conflicts: []string{
		"the 512 KB read row is half of the 1 MB time, off the line through the other reads: as if the array fetched 1 MB at a time and served the second half from its cache",
	},
}

// sized is one row of the survey; megabytes are read as 10^6 bytes, as
// sgp_dd prints them.
func sized(name, label string, mb, guess float64) Figure {
	return Figure{Case: name, Metric: "throughput_mb_s", Label: label, Value: mb, Guess: guess, Band: Band{Rel: 8}}
}

// maxSGE is the emulated megasas HBA's limit of scatter/gather elements. Its
// cases are named by that limit.
var maxSGE = Published{
	Name:   "max-sge",
	Title:  "the SGE limit of an emulated megasas HBA",
	Author: "Nicholas Bellinger",
	Date:   "9 June 2010",
	List:   "qemu-devel, kvm-devel and linux-scsi",
	Kernel: "2.6.26 (guest), 2.6.34 (bare metal)",
	Test:   "LTP disktest, raw bandwidth, 256K blocks, guest of 4 virtual CPUs and 2048 MB, megasas 1.01 over TCM_Loop (sg_tablesize 256) over TCM/RAMDISK",
	Change: "max_sge, which the guest driver takes over as its host's sg_tablesize; firmware limit 255, max_cmds 1000 of at most 2048 frames",

	Guess: "a command takes the same time whatever its size, on bare metal too; told the first row",

	Figures: []Figure{
		bandwidth("sge-8", "max_sge 8 (the old default)", 1050, 1050),
		bandwidth("sge-16", "max_sge 16", 1600, 2100),
		bandwidth("sge-24", "max_sge 24", 2200, 2800),
		bandwidth("sge-32", "max_sge 32 (\"sharply drops\")", 800, 4200),
		bandwidth("sge-80", "max_sge 80 (the new default)", 400, 8400),
		bandwidth("bare-metal", "bare metal, the same RAM disk LUN", 12900, 8400),
	},
	NotGiven: []string{
		"threads and access pattern of disktest",
		"host CPU model beside \"5500-series Nehalem\", cores",
		"cost of a VM exit, and how many a command takes",
		"cause of the drop above 28 SGEs",
		"spread over runs",
		"whether MB is 10^6 or 2^20 bytes",
	},
	Notes: []string{
		"between 32 and 80 bandwidth goes \"lower and lower\"; reads and writes alike",
		"64 pages of 4 KiB make 8, 4, 3, 2 and 1 commands of a 256 KiB block at 8, 16, 24, 32 and 80 SGEs",
		"time per 256 KiB in us = 34 + 29.4 n + 0.131 n s^2, the last term only above 28 SGEs, for n commands of s SGEs: five rows within 9.3 %",
	},
	Conflicts: []string{
		"a larger limit makes fewer commands, yet above 28 SGEs it is slower. Candidates, none known: the guest driver's table of 28; frames of 64 bytes whose count told to the firmware saturates at 8, so that 7 continuation frames hold 28 SGEs of 16 bytes, though such SGEs may be younger than the guest",
	},
}

func bandwidth(name, label string, mb, guess float64) Figure {
	return Figure{Case: name, Metric: "throughput_mb_s", Label: label, Value: mb, Guess: guess, Band: Band{Rel: 12}, Approx: true}
}

// cmdPerLUN is queue depth on a slow CPU. Its cases are named by the depth.
var cmdPerLUN = Published{
	Name:   "cmd-per-lun",
	Title:  "queue depth of an NCR5380 on a 25 MHz 68030",
	Author: "Finn Thain and Hannes Reinecke",
	Date:   "14 to 15 March 2016",
	List:   "linux-scsi",
	Kernel: "of March 2016, NCR5380 patch 20/22",
	Test:   "mac_scsi, dd if=/dev/sda of=/dev/null count=4096 (512-byte blocks, one synchronous reader)",
	Change: "cmd_per_lun, at can_queue 16; one command at a time per LU, no tagged queuing, clustering disabled",

	Guess: "depth changes nothing: one synchronous reader, one command at a time per LU",

	Figures: []Figure{
		depthGain("depth-2", "depth-1", "cmd_per_lun 2 over 1", 3.0, 0.3),
		depthGain("depth-4", "depth-1", "cmd_per_lun 4 over 1", 3.7, 0.3),
		depthGain("depth-16", "depth-4", "cmd_per_lun 16 over 4 (\"no further improvement\")", 0, 0.2),
	},
	NotGiven: []string{
		"absolute times",
		"request size, read-ahead window",
		"disk model, bus speed, PIO or pseudo-DMA",
		"the kernel's exact version",
		"number of repetitions behind the effect size",
	},
	Notes: []string{
		"effect size 9 standard deviations and more",
		"offered as the cause: start-up and shut-down of the work item, which a deeper queue avoids",
		"stated as belief: with depth 1 scsi_request_fn bails out while the device is not ready, and a completion must kick the queue",
		"stated as belief: on a CPU a bit faster the default would not hurt",
	},
	Conflicts: []string{
		"one synchronous reader has no depth of its own: whatever lies above 1 comes from buffered read-ahead, whose request size is not given",
	},
}

func depthGain(name, against, label string, points, band float64) Figure {
	return Figure{Case: name, Against: against, Metric: "throughput_mb_s" + gainSuffix, Label: label, Value: points, Band: Band{Abs: band}, Approx: true}
}
