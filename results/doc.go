// Package results holds what a run found: the result itself, the published
// figures that it is compared with, and the formats in which both are printed.
//
// It knows no strategy and runs nothing. A [Result] is made from a
// [machine.Account] and from what a profile says; a [Published] is a table of
// the literature as data; a [Comparison] puts one beside the other, row by
// row, with the band that each row must meet and whether it served to choose a
// fitted parameter.
package results
