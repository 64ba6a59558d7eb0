// Package profiles turns what a machine measured into files that `go tool
// pprof` opens, and reads such files back into the published table.
//
// The way of a figure, from a simulated run to the table:
//
//	machine.Account ─► rows ─► profile.Profile ─► file ─► Attribution
//	 (one row a place,  (equal   (CPU, Contention)  (WriteFile)  (Attribute)
//	  core and reason)   rows
//	                     joined)
//
// The last step knows nothing of the first: it reads the file as any user of
// pprof would, and it reads a genuine runtime/pprof profile of the live
// machine just as well. So the figure that is reported is the figure that the
// file shows.
//
// # What a stack looks like
//
// Stacks are real Go stacks, captured by the machine. What belongs to the
// machine is cut off at both ends: coroutines at the root, the simulator's
// hook at the leaf. Where time was not spent on the caller's own work, one
// frame that is no Go function is put below the real ones and says what the
// core waited for:
//
//	spin:host_lock      waiting for a spinlock of that class
//	line_wait:CLASS     waiting for a cache line that serves another core
//	line_transfer:CLASS the way of a cache line to this core
//	retry:CLASS         a compare-and-swap that failed, and the wait to try again
//	switch              context switch, interrupt entry and exit
//	hold:CLASS          (contention profile only) holding a lock
//
// So `-top` lists the locks by name, and `-peek results.RequestFn` shows what was
// lost below it. Ordinary work stays with the function that did it: the
// machine's own Work is cut off too. Methods of machine.SpinLock and
// machine.Word above the synthetic leaf are real frames and stay.
//
// # Labels
//
// Every sample carries strategy, section (the kernel's spelling of the
// innermost section), path (all sections, outermost first), what, and lock or
// line (the class), as text; core and socket as numbers, since
// `-tagfocus=core=3` selects by number. What runs below a section is under
// `-tagfocus=path=scsi_dispatch_cmd`, the section itself under
// `-tagfocus=section=scsi_dispatch_cmd`.
//
// Source lines are found from the top of a checkout, as in
//
//	go tool pprof -trim_path hostlock -list results.RequestFn FILE
//
// # Two runs, one file
//
// A profile of a simulated run is a function of the account alone. Samples
// are joined and sorted by what they say, never by address or arrival;
// locations get an address made from their text, which is therefore the same
// in every profile and lets `-diff_base` match them; file names are made from
// the package and the base name, never from where the source lay; no wall
// time, build id or mapping of memory is written.
package profiles
