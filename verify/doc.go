// Package verify is what is behind `lab verify`: it runs a strategy on the
// exploring machine, under one order of operations after another and one
// scenario after another, and checks what every strategy owes: limits are
// exact, nothing is lost or done twice, whoever was refused is restarted,
// order is kept where it is promised, states that stop commands stop them, and
// locks are used as the kernel allows.
//
// It needs no package testing, so that a user's own strategy can be verified
// from its own command line.
package verify
