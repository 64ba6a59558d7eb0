package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryLayoutLoadsAndIsSourced(t *testing.T) {
	for _, name := range Layouts() {
		l, err := LoadLayout(name)
		require.NoError(t, err, name)
		if name == OwnLayout {
			assert.Nil(t, l)
			continue
		}
		assert.Equal(t, name, l.Name)
		assert.NotEmpty(t, l.Title)
		for _, line := range l.Lines {
			assert.NotEmpty(t, line.Source, "%s %s", name, line.Label())
		}
		back, err := parseLayout("copy", LayoutFileText(l))
		require.NoError(t, err, name)
		assert.Equal(t, l, back)
	}
}

func TestWrongLayoutsHaveTheirPlace(t *testing.T) {
	for _, text := range []string{
		"",
		"name = \"x\"\n",
		"[[line]]\n",
		"[[line]]\nfields = \"scsi_device.device_busy\"\n",
		"[[line]]\nfields = [\"scsi_device.device_bsy\"]\n",
		"[[line]]\nfields = [\"scsi_device.device_busy\", \"Scsi_Host.host_busy\"]\n",
		"[[line]]\nfeilds = []\n",
		"struct scsi_device {\n int a; /* 0 4 */\n};\n",
		"\x00struct scsi_device {\n",
	} {
		_, err := parseLayout("f", []byte(text))
		placedLines(t, err)
	}
	_, err := LoadLayout("linux-5.1")
	var usage *UsageError
	require.ErrorAs(t, err, &usage)
	assert.Contains(t, usage.Text, "did you mean linux-5.10?")
}

func FuzzLayout(f *testing.F) {
	f.Add([]byte("[[line]]\nfields = [\"scsi_device.device_busy\"]\nsource = \"what if\"\n"))
	f.Add([]byte("name = \"x\"\n[[line]]\nname = \"a\"\nstrategy = \"ring\"\nfields = [\"scsi_device.device_busy\", \"scsi_device.host\"]\n"))
	f.Add([]byte("struct scsi_device {\n int device_busy; /* 0 4 */\n};\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLayout("f", text)
		if err != nil {
			placedLines(t, err)
			return
		}
		if len(l.Lines) == 0 {
			t.Fatal("a layout of nothing")
		}
		for i := range l.Lines {
			if why := l.Check(i); why != "" {
				t.Fatal(why)
			}
		}
	})
}
