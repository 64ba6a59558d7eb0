// Package compare holds sides against each other: strategies and parameters to
// run now, or results of runs that are over. Two uncertainties are kept apart.
// Seeds tell how far a simulated figure scatters by chance, which more seeds
// make as small as one likes; parameter sets that fit as well tell what is not
// known, which no seed makes smaller.
package compare
