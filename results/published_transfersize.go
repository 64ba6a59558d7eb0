package results

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
