package lockhammer

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed x86-3.csv
var x86 []byte

// Row is one measurement of the host: a lock, what its threads do within and
// outside, how many there are, and nanoseconds of wall time an acquisition over
// the whole machine.
type Row struct {
	Lock               string
	Critical, Parallel int // ns
	Threads            int
	Median, Min, Max   float64
	CPU                float64 // a thread's processor time an acquisition
}

// Rows reads the host's rows. Its error names the row that is wrong.
func Rows() ([]Row, error) {
	r := csv.NewReader(bytes.NewReader(x86))
	r.Comment = '#'
	all, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(all)-1)
	for _, f := range all[1:] {
		var n [7]float64
		for i := range n {
			if n[i], err = strconv.ParseFloat(f[i+1], 64); err != nil {
				return nil, fmt.Errorf("%v: %w", f, err)
			}
		}
		rows = append(rows, Row{f[0], int(n[0]), int(n[1]), int(n[2]), n[3], n[4], n[5], n[6]})
	}
	return rows, nil
}

// table finds rows by what they measured.
type table map[key]Row

type key struct {
	lock     string
	critical int
	threads  int
}

func index(rows []Row) table {
	t := table{}
	for _, r := range rows {
		t[key{r.Lock, r.Critical, r.Threads}] = r
	}
	return t
}
