//go:build !race

package story

const slow = false
