package operand

import (
	"math"
	"strings"
	"testing"
)

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"4096", "4k", "1MB", "2x33", "3+1k", "0x10", "10h", "0xFFFFFFFFFFFFFFFh", "9PB", "1x1x1x1", "+", "x", "0x", "h", "1Mx1Mx1M"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Number(text)
		if err == nil && (n < 0 || n > math.MaxInt64/2) {
			t.Fatalf("%q was taken as %d", text, n)
		}
	})
}

// FuzzLine: the command found is on the line that is named.
func FuzzLine(f *testing.F) {
	for _, text := range []string{"dd if=/dev/sda", "# c\n\ndd a \\\n b # x\n", "dd a\ndd b", "\\\n\\\n", "dd\r\n", "#\\\ndd", "dd/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line, n, err := Line([]byte(text))
		lines := strings.Split(text, "\n")
		if n < 1 || n > len(lines) {
			t.Fatalf("%q: line %d of %d", text, n, len(lines))
		}
		if strings.Contains(line, "\n") || strings.Contains(line, "#") {
			t.Fatalf("%q: %q", text, line)
		}
		if first := strings.Fields(line); err == nil && len(first) > 0 && Command([]byte(text), "dd") != (first[0] == "dd" || strings.HasSuffix(first[0], "/dd")) {
			t.Fatalf("%q: %q", text, line)
		}
		_, _ = Device(text)
	})
}
