// Package lab is the command line. A program that adds a strategy of its own
// imports this package and its strategy, and calls [Main]:
//
//	package main
//
//	import (
//		"hostlock/lab"
//
//		_ "example.org/mine/strategy"
//	)
//
//	func main() { lab.Main() }
//
// Each command is a file that makes one cobra command; root.go puts them into
// the tree.
package lab
