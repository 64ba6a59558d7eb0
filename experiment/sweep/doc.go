// Package sweep runs an experiment at every combination of strategies, core
// counts, parameters and seeds, in virtual time and over all cores of this
// computer; in parts that an array job runs apart and [Merge] puts together.
//
// Errors about the request are [spec.UsageError]s.
package sweep
