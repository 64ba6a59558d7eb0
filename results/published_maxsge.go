package results

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
