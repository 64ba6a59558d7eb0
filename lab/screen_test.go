package lab

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The headline's answer comes first and fits a screen, on both machines.
func TestTheHeadlineFitsAScreen(t *testing.T) {
	for name, args := range map[string][]string{
		"sim":  {"run", "--strategy", "host-lock", "--machine", "sim", "--duration", "200ms"},
		"live": {"run", "--strategy", "host-lock", "--duration", "1s"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "live" && testing.Short() {
				t.Skip("takes seconds of real time")
			}
			var stdout, stderr bytes.Buffer
			require.Zero(t, newApp(&stdout, &stderr).main(args), stderr.String())
			assert.NotContains(t, stderr.String(), "warning", "notes are in the report only")
			lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
			assert.LessOrEqual(t, len(lines), 45)
			assert.Contains(t, lines[0], "bound")
			for _, line := range lines {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), 100, line)
			}
		})
	}
}
