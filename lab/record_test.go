package lab

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A wrong request is one line, and nothing runs.
func TestRecordRefusesWrongRequests(t *testing.T) {
	t.Chdir(t.TempDir())
	assert.NoError(t, os.WriteFile("empty", nil, 0o644))
	for _, words := range [][]string{
		{"record"},
		{"record", "--format", "csv", "--", "true"},
		{"record", "--stretch", "x", "--", "true"},
		{"record", "--stretch", "x=1", "--", "true"},
		{"record", "--stretch", "x=2,y", "--", "true"},
		{"record", "--pairs", "-1", "--", "true"},
		{"record", "-o", ".", "--", "true"},
		{"record", "--", "./no-such-program"},
		{"record", "build", "."},
		{"record", "import"},
		{"record", "import", "absent"},
		{"record", "import", "empty"},
		{"record", "import", "--seconds", "-1", "empty"},
		{"record", "import", "-o", "x.json", "empty", "empty"},
	} {
		if runtime.GOOS != "linux" && words[1] == "--" {
			continue
		}
		o := try(never(t), words...)
		assert.Equal(t, exitUsage, o.status, "%v: %s", words, o.stderr)
		assert.Len(t, o.lines(), 1, "%v", words)
		assert.Empty(t, o.stdout, "%v", words)
	}
}

// A command in which nothing is recorded is told so, after it ran.
func TestRecordSaysThatNothingWasRecorded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the recorder needs Linux")
	}
	o := try(never(t), "record", "--", "true")
	assert.Equal(t, exitFailed, o.status)
	assert.Len(t, o.lines(), 1)
}

func TestParseStretch(t *testing.T) {
	site, factors, err := parseStretch("main.(*C).add cache.go:42=1.25,2")
	assert.NoError(t, err)
	assert.Equal(t, "cache.go:42", site, "a row of the table may be pasted")
	assert.Equal(t, []float64{1.25, 2}, factors)
}
