// Package profile reads the profiles of FFSB, the Flexible File System
// Benchmark, into one typed model, and writes that model back as a profile
// that FFSB 6.0 accepts.
//
// # Three generations
//
// FFSB changed its profile language twice, and profiles of all three kinds
// are still about:
//
//   - Generation A, flat (FFSB up to 4.x): keys in one word (numconfigs,
//     readblocksize), then [config0], [config1] and so on, each ending where
//     the next one begins. It counts iterations and has no run time.
//   - Generation B, ordered (FFSB 5.0 to 5.2.1): num_filesystems and
//     num_threadgroups, the other globals in one fixed order, then exactly so
//     many [filesystemN] and [threadgroupN] sections, each closed by [endN].
//     Whole numbers only; what a section leaves out it takes from the one
//     before it.
//   - Generation C, recursive (FFSB 6.0): the same sections with numbers that
//     mean nothing, globals anywhere, blanks around '=', sizes such as 4k,
//     and more operations. Nothing is inherited; clone copies a filesystem.
//
// # How they are told apart
//
// A [config section or the key numconfigs makes a file generation A, and so
// does any other one-word key of A in a file without sections. Otherwise a
// file that declares num_filesystems or num_threadgroups is generation B,
// unless something in it can only be C: a section without a number, a blank
// beside '=', a size with a suffix, a key that 5.x did not have, a bindfs
// that is no number, a global after the first section, or an [end] without a
// number that closes more than [stats]. Everything else is C.
//
// A body of generation C below the globals of B is common on the web. FFSB
// 6.0 refuses it; this package reads it as C and warns.
//
// # What is refused
//
// FFSB reads much without a word that it does not understand: 1t as 0, -1 as
// 2^64-1, num_files=10k as 10. Some profiles make it crash, or write until
// the disk is full. All of those are errors here, of type [*Error], on one
// line, with file and line, what is wrong and what is legal. What FFSB
// accepts with a surprise is accepted with a line in [Profile.Warnings].
//
// The sources are the parsers of FFSB 5.2.1 and 6.0 and runs of 6.0.
package profile
