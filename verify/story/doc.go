// Package story has short tales of blocked counters, states and error handling:
// a driver that refuses or fails in one given way, a few commands, and the one
// end that they may come to under any strategy. They are told in virtual time, where timeouts of milliseconds cost
// nothing and every end is exact.
//
// Explored schedules look for what can go wrong between two operations; the
// stories say what must come out.
package story
