package workload_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
	_ "hostlock/workload/ffsb"
)

func TestLoadByName(t *testing.T) {
	names := []string{}
	for _, b := range workload.Builtins() {
		names = append(names, b.Name)
		w, err := workload.Load(b.Name)
		require.NoError(t, err)
		require.Equal(t, b.Name, w.Name())
		require.Equal(t, "ffsb", w.Kind())
		require.NotEmpty(t, w.About())
		require.NotEmpty(t, b.About)
		require.Positive(t, w.Duration())
		require.Positive(t, w.Threads())
	}
	require.Equal(t, []string{"headline", "randwrite", "seqread", "mailserver"}, names)
}

func TestLoadOfFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	w, err := workload.Load("headline")
	require.NoError(t, err)
	copied, err := workload.Load(write("mine", string(w.Text())))
	require.NoError(t, err)
	require.Equal(t, w.Threads(), copied.Threads())
	require.Equal(t, filepath.Join(dir, "mine"), copied.Name())

	for path, want := range map[string]string{
		"":                                    "no workload named; legal: headline,",
		"nosuch":                              `unknown workload "nosuch", and no such file; legal: headline, randwrite, seqread, mailserver, or a file that is an FFSB profile`,
		"randwrit":                            "did you mean randwrite?",
		dir:                                   "is a directory",
		write("text", "\n\nonce upon a time"): "text:3: not a workload of any known kind; legal: ",
		write("fio", "[global]\nrw=read\n"):   "fio:1: not a workload of any known kind",
		write("empty", ""):                    "empty:1: not a workload",
		write("bad", "time=1\n[filesystem]\nlocation=/a\nnum_files=10k\n[end]\n"): "bad:4: ",
		write("large", strings.Repeat("#\n", 4<<20)):                              "is longer than 4194304 bytes; legal: ",
	} {
		_, err := workload.Load(path)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}
