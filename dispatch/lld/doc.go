// Package lld has the low-level drivers, one a file. Importing it registers
// them all:
//
//   - mptsas: a SAS adapter of 2010 with SSDs behind it, whose driver has locks
//     of its own and whose interrupt drains several replies;
//   - megasas: a MegaRAID SAS adapter as QEMU emulates it;
//   - lpfc: a Fibre Channel adapter with a disk array;
//   - tcm_loop: a loop-back host without a lock, completed by another thread;
//   - mac_scsi, atari_scsi, and mac_scsi as of 2.6.35: an NCR5380, one command at
//     a time on the bus, moved by the processor;
//   - ramdisk: stores what is written and gives it back;
//   - null: completes at once, inside queuecommand.
//
// All of them inject faults on request (faults, recovery). megasas, tcm_loop and
// the NCR5380s have those of the error handler's measures that the originals had
// [K], the others all.
//
// Each file says where the values of its template come from.
package lld
