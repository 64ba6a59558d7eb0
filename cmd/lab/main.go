// Command lab is a bench for locks: what does this one cost, and what would
// another design cost, on a machine with N cores?
package main

import "hostlock/lab"

func main() { lab.Main() }
