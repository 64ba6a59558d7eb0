package disktest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hostlock/workload/transfer"
)

// report writes the lines that disktest ends with. Its clock shows the time of
// the run, from the beginning of 1970 on: a result does not depend on when it
// was made. Rates are over whole seconds, the program's own resolution.
func (w *disktest) report(out io.Writer, t transfer.Totals) error {
	var b strings.Builder
	whole := max(int64(t.Window.Round(time.Second)/time.Second), 1)
	line := func(kind, format string, args ...any) {
		if !w.o.bare {
			stamp := time.Unix(whole, 0).UTC().Format("2006/01/02-15:04:05")
			fmt.Fprintf(&b, "| %s | %-5s | %d | v1.4.2 | %s | ", stamp, kind, 1, w.o.target)
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	side := func(name, title string, n, bytes int64) {
		rate := float64(bytes) / float64(whole)
		line("STAT", "Total bytes %s in %d transfers: %d", name, n, bytes)
		verb := strings.ToLower(title)
		line("STAT", "Total %s throughput: %.1fB/s (%.2fMB/s), IOPS %.1f/s.", verb, rate, rate/(1<<20), float64(n)/float64(whole))
		line("STAT", "Total %s Time: %d seconds (%dd%dh%dm%ds)", title, whole, whole/86400, whole/3600%24, whole/60%60, whole%60)
	}
	if w.o.read {
		side("read", "Read", t.Reads, t.ReadBytes)
	}
	if w.o.write {
		side("written", "Write", t.Writes, t.WriteBytes)
	}
	if w.o.perf {
		line("PERF", "%d;TRbytes;%d;TRxfers;%d;TRsecs;%d;TWbytes;%d;TWxfers;%d;TWsecs;", t.ReadBytes, t.Reads, secs(w.o.read, whole), t.WriteBytes, t.Writes, secs(w.o.write, whole))
	}
	line("END", "Test Done (Passed)")
	_, err := io.WriteString(out, b.String())
	return err
}

func secs(does bool, n int64) int64 {
	if does {
		return n
	}
	return 0
}
