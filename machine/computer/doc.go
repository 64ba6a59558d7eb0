// Package computer says what this computer does beside the lab: the processor
// time that this process has used, and what its neighbours took meanwhile.
package computer
