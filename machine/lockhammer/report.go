package lockhammer

import (
	"fmt"
	"io"
	"math"
)

// missing is the mechanism that the model has not and a missed row shows.
func missing(v Verdict) string {
	const socket = 44
	swaps := v.Lock == "swap_mutex"
	switch {
	case v.Critical == 0 && v.Threads > socket:
		return "near first"
	case swaps && v.Threads > socket && v.Off() < 0:
		return "near first, against a far release"
	case swaps && v.Critical > 0:
		return "a release's own turn"
	case swaps:
		return "own code between two swaps"
	case v.Threads <= 2:
		return "own code"
	default:
		return "unknown"
	}
}

// Markdown writes what was fitted, every row beside the model, and what is missing.
func Markdown(w io.Writer, v Values, all []Verdict, ahead []Range) error {
	p := printer{w: w}
	var judged, good, sections, goodSections int
	for _, r := range all {
		if r.Role != Judges {
			continue
		}
		judged++
		if r.Critical > 0 {
			sections++
		}
		if r.Good {
			good++
			if r.Critical > 0 {
				goodSections++
			}
		}
	}
	ranks, right := Ranks(all), 0
	for _, r := range ranks {
		if r.Right {
			right++
		}
	}
	p.f("# The line model beside host x86-3\n\n")
	p.f("%d of %d judged rows are within %.0f %% or inside their own nine runs: %d of %d with sections of 200 and 1000 ns, %d of %d without. %d of %d pairs of locks that the host tells apart are ranked right.\n\n",
		good, judged, 100*Tolerance, goodSections, sections, good-goodSections, judged-sections, right, len(ranks))
	p.f("The host: lockhammer, 2018, 2 sockets, 44 cores, 88 threads (`machine/lockhammer/x86-3.csv`). `machine/lockhammer/FIT.md` named the rows that fit before anything was fitted. Written by `go test ./machine/lockhammer -update`.\n\n")
	p.f("## What is fitted\n\n| value | | by |\n|---|---:|---|\n")
	p.f("| work beside a busy sibling | %.3f times as long | `empty` 200/1000, 1 thread against 2 to 88 |\n", v.SiblingWork)
	p.f("| a sibling's read-modify-write keeps the line busy | %d ns | `incdec_refcount` 0/0, 2 threads |\n", v.OccupancySibling)
	p.f("| one that brings the line from another core of the socket | %d ns | `incdec_refcount` 0/0, 4 to 44 threads |\n", v.Occupancy)
	p.f("| a read of a line that the socket shares | %d ns | `ticket_spinlock` 0/0, 4 to 44 threads |\n\n", v.OccupancyShared)
	p.f("The rest is published, or the cost table's default: a line's way takes 44 ns in a socket and 118 across, and is busy for all of the latter.\n\n")
	p.f("## Every row\n\nns an acquisition, over the whole machine. `chain` is the published ticket chain with one constant, from the same rows as the fourth value.\n\n")
	p.f("| lock | critical/parallel | threads | host | its runs | model | off | | chain |\n|---|---|---:|---:|---:|---:|---:|---|---:|\n")
	for _, r := range all {
		mark, chain := string(r.Role), ""
		if !r.Good && r.Role == Judges {
			mark += ", **missed**: " + missing(r)
		}
		if r.Chain > 0 {
			chain = fmt.Sprintf("%.1f (%+.0f %%)", r.Chain, 100*(r.Chain/r.Median-1))
		}
		p.f("| %s | %d/%d | %d | %.1f | %.1f to %.1f | %.1f | %+.0f %% | %s | %s |\n",
			r.Lock, r.Critical, r.Parallel, r.Threads, r.Median, r.Min, r.Max, r.Model, 100*r.Off(), mark, chain)
	}
	p.f("\nWhat is missing:\n\n")
	p.f("- *near first*: where both sockets want a line all the time, the host serves requests of the socket that has it before those from far, so that the line crosses rarely, and each acquisition is cheaper with two sockets than with one. Here they are served as they come.\n")
	p.f("- *near first, against a far release*: with one or two cores in the far socket, the swaps of 22 near ones go before the release of a far holder.\n")
	p.f("- *a release's own turn*: here a release is served with the next swap of the holder's sibling. On the host it seems to wait a whole round.\n")
	p.f("- *own code*, *between two swaps*: instructions of the lock beside its operations on the line take no time here.\n")
	if off := wrongRanks(ranks); off != "" {
		p.f("\nRanked wrong: %s.\n", off)
	}
	ours, chain, n := 0.0, 0.0, 0
	for _, r := range all {
		if r.Chain > 0 {
			ours += math.Abs(r.Off())
			chain += math.Abs(r.Chain/r.Median - 1)
			n++
		}
	}
	p.f("\nOver the %d rows where the published chain says something it is off by %.0f %% on average, the model by %.0f %%.\n", n, 100*chain/float64(n), 100*ours/float64(n))
	held, widest := 0, 0.0
	for _, r := range ahead {
		if r.Holds() {
			held++
		}
		if r.Threads == 32 {
			widest = math.Max(widest, r.High/r.Low)
		}
	}
	p.f("\n## From one and two threads alone\n\n%d of %d ranges hold their row, and at 32 threads none is wider than a factor of %.2f. Nothing is fitted: what rows of one and two threads do not tell is drawn between published bounds (`machine/lockhammer/ahead.go`).\n", held, len(ahead), widest)
	p.f("The rule was changed once after a look at what it held: the first had the two ends of everything, no scatter of the rows and no error of the closed form, and held 33.\n\n")
	p.f("| lock | threads | host | range | |\n|---|---:|---:|---:|---|\n")
	for _, r := range ahead {
		mark := ""
		if !r.Holds() {
			mark = "missed"
		}
		p.f("| %s | %d | %.1f | %.1f to %.1f | %s |\n", r.Lock, r.Threads, r.Median, r.Low, r.High, mark)
	}
	return p.err
}

func wrongRanks(ranks []Rank) (out string) {
	for _, r := range ranks {
		if !r.Right {
			if out != "" {
				out += "; "
			}
			out += fmt.Sprintf("%s and %s at %d threads, %.1f and %.1f ns here, %.1f and %.1f on the host", r.Faster.Lock, r.Slower.Lock, r.Faster.Threads,
				r.Faster.Model, r.Slower.Model, r.Faster.Median, r.Slower.Median)
		}
	}
	return out
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
