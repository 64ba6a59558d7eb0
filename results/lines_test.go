package results

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"hostlock/machine"
)

func TestLinesAreTheHottestFirst(t *testing.T) {
	a := &machine.Account{Cores: 1, Window: time.Second}
	for i := range 7 {
		class := fmt.Sprint("line", i)
		a.Samples = append(a.Samples,
			machine.Sample{What: machine.LineTransfer, Class: class, Time: time.Duration(i) * time.Millisecond, Count: int64(i)},
			machine.Sample{What: machine.LineWait, Class: class, Time: time.Duration(i) * time.Millisecond, Count: 9},
			machine.Sample{What: machine.Spinning, Class: class, Time: time.Millisecond})
	}
	a.Samples = append(a.Samples,
		machine.Sample{What: machine.Working, Time: 51 * time.Millisecond},
		machine.Sample{What: machine.Idle, Time: time.Second})
	got := LinesOf(a, func(name string) []string {
		if name == "line6" {
			return []string{"a", "b"}
		}
		return nil
	})
	assert.Len(t, got, HottestLines)
	assert.Equal(t, Line{Name: "line6", Fields: []string{"a", "b"}, Transfers: 6, Busy: 12}, got[0])
	assert.Equal(t, Line{Name: "line5", Fields: []string{"line5"}, Transfers: 5, Busy: 10}, got[1])
}
