//go:build !race

package planted

const slow = false
