package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func put(path, text string) error {
	return Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func entries(t *testing.T, dir string) []string {
	var names []string
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// A device or a pipe stays what it is.
func TestWriteKeepsDevices(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("no such device here")
	}
	require.NoError(t, put(os.DevNull, "x"))
	after, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.Equal(t, before.Mode(), after.Mode())
	require.Error(t, put(t.TempDir(), "x"), "a directory")
}

func TestWriteIsWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "result.json")
	require.NoError(t, put(path, "one"))
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("two", 10000))
		return broken
	})
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, path)
	text, err := Read(path, 3)
	require.NoError(t, err)
	assert.Equal(t, "one", string(text))
	require.NoError(t, put(path, "three"), "a file that is there is replaced")
	assert.Equal(t, []string{"result.json"}, entries(t, filepath.Dir(path)), "a temporary file was left behind")
}

// Whatever the system says, it says it of the file that the user named.
func TestAFullDiskIsOneLineThatNamesTheFile(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no such device here")
	}
	require.EqualError(t, put("/dev/full", "x"), "write /dev/full: no space left on device")

	dir := t.TempDir()
	path := filepath.Join(dir, "result")
	err := Write(path, func(io.Writer) error {
		return &fs.PathError{Op: "write", Path: filepath.Join(dir, ".hostlock-1.tmp"), Err: errors.New("no space left on device")}
	})
	require.EqualError(t, err, "write "+path+": no space left on device")
	assert.Empty(t, entries(t, dir))
}

func TestWriteMindsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	private := filepath.Join(dir, "private")
	require.NoError(t, os.WriteFile(private, nil, 0o600))
	require.NoError(t, put(private, "x"))
	info, err := os.Stat(private)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), "a private file stays private")

	kept := filepath.Join(dir, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("kept"), 0o400))
	require.ErrorIs(t, put(kept, "lost"), fs.ErrPermission)
	require.ErrorIs(t, Check(kept), fs.ErrPermission)
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.Equal(t, "kept", string(text))

	link := filepath.Join(dir, "link")
	if os.Symlink("private", link) == nil {
		require.NoError(t, put(link, "by the link"))
		text, err := os.ReadFile(private)
		require.NoError(t, err)
		assert.Equal(t, "by the link", string(text))
	}
	long := filepath.Join(dir, strings.Repeat("x", 250))
	require.NoError(t, Check(long))
	require.NoError(t, put(long, "x"), "a name as long as the system takes it")
	assert.Empty(t, unfinished.names)
}

func TestCheckFindsOutBefore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, put(path, "x"))
	var misplaced *Misplaced
	for _, err := range []error{
		Check(dir), Check(path + "/x"), Check(path + "/x/y"), CheckDir(path), CheckDir(path + "/x"),
		Check(filepath.Join(dir, strings.Repeat("x", 300))), CheckDir(filepath.Join(dir, strings.Repeat("x", 300))),
	} {
		require.ErrorAs(t, err, &misplaced)
		assert.NotContains(t, err.Error(), "\n")
	}
	for _, ok := range []error{Check(path), Check(filepath.Join(dir, "a", "b")), CheckDir(filepath.Join(dir, "a", "b")), CheckDir(dir), Check(os.DevNull)} {
		require.NoError(t, ok)
	}
	assert.Equal(t, []string{"file"}, entries(t, dir), "a check leaves nothing")

	locked := filepath.Join(dir, "locked")
	require.NoError(t, os.Mkdir(locked, 0o500))
	if f, err := os.Create(filepath.Join(locked, "x")); err == nil {
		f.Close()
		t.Skip("whoever runs this may write anywhere")
	}
	err := Check(filepath.Join(locked, "x"))
	require.ErrorIs(t, err, fs.ErrPermission)
	assert.NotErrorAs(t, err, &misplaced, "what the system does not allow is no wrong request")
}

func TestReadIsBounded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	require.NoError(t, put(path, "12345"))
	text, err := Read(path, 5)
	require.NoError(t, err)
	assert.Equal(t, "12345", string(text))
	_, err = Read(path, 4)
	require.EqualError(t, err, "is longer than 4 bytes")
	_, err = Read(dir, 4)
	require.EqualError(t, err, "is a directory")
	_, err = Read(filepath.Join(dir, "no"), 4)
	require.ErrorIs(t, err, fs.ErrNotExist)
	if _, err := os.Stat("/dev/zero"); err == nil {
		_, err = Read("/dev/zero", 1<<20)
		require.EqualError(t, err, "is a device")
	}
}

func TestAProcessThatEndsAtOnceLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "x"), func(io.Writer) error {
		require.Len(t, entries(t, dir), 1)
		RemoveUnfinished()
		require.Empty(t, entries(t, dir))
		return errors.New("gone")
	})
	require.Error(t, err)
}
