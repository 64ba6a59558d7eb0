package operand

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "4k": 4096, "4K": 4096, "4KiB": 4096, "4KB": 4000, "1m": 1 << 20, "1MB": 1e6, "1MiB": 1 << 20,
		"2g": 2 << 30, "1t": 1 << 40, "3c": 3, "3w": 6, "3b": 1536, "2x33": 66, "2x4k": 8192, "2x3x4": 24, "3+1k": 1027,
		"0x10": 16, "10h": 16, "0xFF": 255, "0x10+1": 17,
	} {
		n, err := Number(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "k", "x", "2x", "x2", "-1", "1.5", "1z", "0x", "0xg", "h", "1+", "+1", "99999999999999999999", "9000p", "1 k"} {
		_, err := Number(text)
		require.Error(t, err, text)
		require.NotContains(t, err.Error(), "\n", text)
	}
}

func TestDevice(t *testing.T) {
	for file, want := range map[string]int{"/dev/sg0": 0, "sg12": 12, "/dev/sda": 0, "/dev/sdb1": 1, "/dev/sdaa": 26, "sdz": 25} {
		n, ok := Device(file)
		require.True(t, ok, file)
		require.Equal(t, want, n, file)
	}
	for _, file := range []string{"", "/dev/null", "/dev/zero", ".", "sg", "sd", "sgx", "sdA", "/dev/hda", "sg-1", "sdabcd"} {
		_, ok := Device(file)
		require.False(t, ok, file)
	}
}

func TestLine(t *testing.T) {
	line, n, err := Line([]byte("# what\n\n  sgp_dd if=/dev/sg0 \\\n of=. # here\n"))
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, []byte("sgp_dd if=/dev/sg0   of=."), []byte(line))
	_, n, err = Line([]byte("dd \\\n a\n\ndd b\n"))
	require.ErrorContains(t, err, "a second command")
	require.Equal(t, 4, n, "a continued line counts as the lines it is")
	_, n, err = Line([]byte("dd a\ndd b\n"))
	require.ErrorContains(t, err, "a second command")
	require.Equal(t, 2, n)
	require.True(t, Command([]byte("/usr/bin/dd if=x"), "dd"))
	require.True(t, Command([]byte("# c\ndd\n"), "dd"))
	require.False(t, Command([]byte("ddx if=x"), "dd"))
	require.False(t, Command([]byte(""), "dd"))
}
