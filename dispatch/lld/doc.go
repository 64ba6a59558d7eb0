// Package lld has the low-level drivers, one a file. Importing it registers
// them all:
//
//   - mptsas: a SAS adapter of 2010 with SSDs behind it, whose driver has locks
//     of its own and whose interrupt drains several replies;
//   - ramdisk: stores what is written and gives it back;
//   - null: completes at once, inside queuecommand.
//
// Each file says where the values of its template come from.
package lld
