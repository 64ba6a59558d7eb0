package results

import (
	"cmp"
	"slices"
	"strings"
)

// CaseRun is one run of a reproduction, whether a published row stands beside
// it or not: cases for contrast have none.
type CaseRun struct {
	Name         string  `json:"name"`
	ThroughputMB float64 `json:"throughput_mb_s"`
	IOPS         float64 `json:"iops"`
	// PerTransfer is what one transfer of the workload was made of: commands,
	// segments, frames, and whatever else workload and driver count.
	PerTransfer Shares  `json:"per_transfer"`
	TransferKiB float64 `json:"transfer_kib"` // mean size
	Published   bool    `json:"published"`    // a row of the table is about it
}

// transfers is the workload's own count of what it moved as one.
const transfers = "transfers"

// caseRun sums a run up. It reports false for a workload that counts no
// transfers.
func (p *Published) caseRun(name string, r *Result) (CaseRun, bool) {
	n, _ := r.Operations.Get(transfers)
	if n == 0 {
		return CaseRun{}, false
	}
	c := CaseRun{Name: name, ThroughputMB: r.ThroughputMB, IOPS: r.IOPS, Published: slices.Contains(p.Cases(), name)}
	bytes := int64(0)
	for _, o := range r.Operations {
		switch {
		case o.Name == transfers:
		case strings.HasSuffix(o.Name, "_bytes"):
			bytes += o.Value
		default:
			c.PerTransfer.Set(o.Name, float64(o.Value)/float64(n))
		}
	}
	c.TransferKiB = float64(bytes) / float64(n) / 1024
	return c, true
}

// caseOrder puts the table's cases first, in its order, and then those that
// are named after one of them with something behind, by that and in the same
// order: all of one contrast stand together.
func (p *Published) caseOrder(names []string) []string {
	table := p.Cases()
	key := func(name string) (string, int) {
		best, stem := len(table), ""
		for i, c := range table {
			if strings.HasPrefix(name, c) && len(c) > len(stem) {
				best, stem = i, c
			}
		}
		return strings.TrimPrefix(name, stem), best
	}
	slices.SortStableFunc(names, func(a, b string) int {
		behindA, a1 := key(a)
		behindB, b1 := key(b)
		return cmp.Or(strings.Compare(behindA, behindB), cmp.Compare(a1, b1))
	})
	return names
}

// caseSection lists all runs, with what their transfers were made of.
func caseSection(rep Reproduction) section {
	if len(rep.Cases) == 0 {
		return section{}
	}
	var columns []string
	for _, c := range rep.Cases {
		for _, e := range c.PerTransfer {
			if !slices.Contains(columns, e.Name) {
				columns = append(columns, e.Name)
			}
		}
	}
	s := section{
		title: "All runs, with what one transfer of the workload was made of",
		head:  []string{"case", "KiB a transfer", "MB/s", "commands/s"},
		align: "lrrr",
	}
	for _, c := range columns {
		s.head = append(s.head, c+" each")
		s.align += "r"
	}
	for _, c := range rep.Cases {
		row := []string{c.Name, number(c.TransferKiB), number(c.ThroughputMB), number(c.IOPS)}
		for _, name := range columns {
			text := "-"
			if v, ok := c.PerTransfer.Get(name); ok {
				text = number(v)
			}
			row = append(row, text)
		}
		s.rows = append(s.rows, row)
	}
	return s
}
