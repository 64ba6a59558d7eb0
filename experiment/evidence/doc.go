// Package evidence says what a reproduction is worth. The headline sits on a
// cliff, so that hitting it is a fit and says little; what says more is how
// the answer moves when a parameter is wrong ([Sensitivity]), and how far the
// figures that were not used to fit scatter over all parameter sets that meet
// those which were ([Ensemble]).
package evidence
