package results

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
