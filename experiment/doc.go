// Package experiment describes and runs experiments: machine x driver x
// strategy x workload x parameters, in one file that a user can copy and
// edit. The built-in ones are such files too, see [Builtins].
package experiment
