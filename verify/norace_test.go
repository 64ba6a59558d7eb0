//go:build !race

package verify

const slow = false
