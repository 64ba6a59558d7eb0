package program

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestName(t *testing.T) {
	inCache := "/home/me/cache/ab/" + strings.Repeat("0f", 32) + "-d/mylock"
	for _, c := range []struct{ called, exe, main, module, want string }{
		{"./mylock", "/home/me/mylock/mylock", "example.com/mylock", "example.com/mylock", "./mylock"},
		{"../bin/lab", "/home/me/bin/lab", "hostlock/cmd/lab", "hostlock", "../bin/lab"},
		{"/home/me/my bin/lab", "/home/me/my bin/lab", "hostlock/cmd/lab", "hostlock", "'/home/me/my bin/lab'"},
		{inCache, inCache, "example.com/mylock", "example.com/mylock", "go run ."},
		{inCache, inCache, "command-line-arguments", "", "go run ."},
		{"/tmp/go-build12/b001/exe/lab", "/tmp/go-build12/b001/exe/lab", "hostlock/cmd/lab", "hostlock", "go run ./cmd/lab"},
		{"/tmp/go-build12/b001/mylock.test", "/tmp/go-build12/b001/mylock.test", "example.com/mylock.test", "example.com/mylock", "go run ."},
		{"./mylock.test", "/home/me/mylock.test", "example.com/mylock.test", "example.com/mylock", "go run ."},
		{"./lab.test", "/home/me/lab.test", "hostlock/lab.test", "hostlock", "go run ./cmd/lab"},
	} {
		assert.Equal(t, c.want, name(c.called, c.exe, c.main, c.module), c.called)
	}
	assert.Equal(t, "go run ./cmd/lab", Name())
}
