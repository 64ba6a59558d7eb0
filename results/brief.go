package results

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// View says how much of a result the text report shows.
type View struct {
	Full       bool // everything that was found
	Parameters bool // every parameter, with its source
}

// Width and Lines bound the short report: columns of all of it, and lines below the
// first. What the user asks for by --parameters comes on top.
const (
	Width = 100
	Lines = 40
)

// WriteReport prints a result for people: first what bounds the run.
func WriteReport(w io.Writer, r *Result, v View) error {
	if v.Full {
		return printText(w, append(boundSections(r), narrow(reportOf(r))...))
	}
	sections := briefOf(r)
	if v.Parameters {
		sections = append(sections, narrow(parameterSections(r.rounded().Parameters))...)
	}
	return printText(w, sections)
}

// narrow breaks what is wider than a screen, but for commands to copy.
func narrow(sections []section) []section {
	for i := range sections {
		s := &sections[i]
		command := slices.ContainsFunc(s.lines, func(l string) bool { return strings.Contains(l, "go tool pprof") })
		s.wrap = !s.code && !command
	}
	return sections
}

// leastClass and leastBudget are what a class of contention and a row of the budget
// must be to be in the short report, in percent.
const (
	leastClass  = 0.05
	leastBudget = 0.5
	mostBudget  = 6 // rows of it, the largest
)

// briefOf is the short report.
func briefOf(r *Result) []section {
	r = r.rounded()
	out := append(boundSections(r), briefHead(r), ratesSection(r), sharesSection(r), briefLatency(r), whereSection(r))
	open := openSection(r)
	for i := range out {
		out[i].plain, out[i].wrap = true, true
	}
	left := Lines + 1 - lineCount(append(out, open))
	// What was set and the notes share what is left, the notes with the least.
	notes := lineCount([]section{{}, notesSection(r.Warnings, left)})
	set := setSection(r, min(mostSet, left-min(notes, leastNotes)-setAround))
	return append(out, set, notesSection(r.Warnings, left-lineCount([]section{set})-1), open) // a first section has no blank line above
}

func lineCount(sections []section) int {
	var b bytes.Buffer
	_ = printText(&b, sections) // a buffer takes everything
	return strings.Count(b.String(), "\n")
}

// boundSections is the answer: what bounds the run, and what would be next.
func boundSections(r *Result) []section {
	return []section{{lines: r.Bound.Words(), flush: true}}
}

// Words is what bounds a run, with its arithmetic, and what comes next.
func (b *Bound) Words() []string {
	if b == nil {
		return []string{"nothing bounds this run: no command completed in the window"}
	}
	limit := fmt.Sprintf("%s = %s, %.0f %% reached", b.Why, Rate(b.Limit), b.Reached)
	var lines []string
	if b.By == NoSingleBound {
		lines = append(lines, NoSingleBound+": 25 % more of no resource alone gives 3 %", "nearest: "+b.Nearest+": "+limit)
	} else {
		lines = append(lines, fmt.Sprintf("bounded by %s: %s", b.By, limit))
	}
	if b.Next != nil {
		lines = append(lines, fmt.Sprintf("next bound: %s, %s", b.Next.By, Rate(b.Next.Limit)))
	}
	return lines
}

// Rate is a number of commands a second as people say it: 222.6 K IOPS.
func Rate(perSecond float64) string {
	switch {
	case perSecond >= 1e6:
		return fixed(perSecond/1e6, 2) + " M IOPS"
	case perSecond >= 1e4:
		return fixed(perSecond/1e3, 1) + " K IOPS"
	case perSecond >= 1e3:
		return fixed(perSecond, 0) + " IOPS"
	}
	return fixed(perSecond, 1) + " IOPS"
}

// fixed prints a number with so many decimals and its thousands apart.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, rest, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if rest != "" {
		return sign + b.String() + "." + rest
	}
	return sign + b.String()
}

// briefHead says what was run.
func briefHead(r *Result) section {
	e := r.Experiment
	first := e.Name
	if r.Title != "" {
		first += ": " + r.Title
	}
	s := section{flush: true, lines: []string{first, fmt.Sprintf(
		"strategy %s, driver %s, workload %s; %s, %s, %s, %s, seed %d",
		e.Strategy, e.Driver, e.Workload, e.Machine, Count(e.Cores, "core"), Count(e.Threads, "thread"), rough(e.Duration), e.Seed)}}
	switch {
	case r.Ended != "":
		s.lines = append(s.lines, "PARTIAL: "+r.Ended+"; figures are of the time until then")
	case r.Partial:
		s.lines = append(s.lines, "PARTIAL: interrupted; what was measured until then")
	}
	if c := r.Commands; c.Failed+c.Requeued+c.Lost > 0 {
		line := fmt.Sprintf("commands: %s issued, %s failed, %s requeued, %s lost",
			fixed(float64(c.Issued), 0), fixed(float64(c.Failed), 0), fixed(float64(c.Requeued), 0), fixed(float64(c.Lost), 0))
		s.lines = append(s.lines, line+yes(c.Lost != 0, ": A FAULT", ""))
	}
	return s
}

// rough is seconds to the millisecond: a window in real time ends some microseconds
// late.
func rough(s float64) string {
	if s >= 0.1 {
		return seconds(round(s, 3))
	}
	return seconds(s)
}

// column is one figure of a short table: one unit, one precision.
type column struct {
	head     string
	decimals int
	of       func(*Result) (float64, bool) // false is not known
}

func share(get func(*Result) float64) func(*Result) (float64, bool) {
	return func(r *Result) (float64, bool) { return get(r), true }
}

// decimalsFor gives a column three digits or more.
func decimalsFor(v float64) int {
	switch {
	case v >= 100:
		return 0
	case v >= 10:
		return 1
	}
	return 2
}

// runs are the rows of a short table: the run, and what stands beside it.
func (r *Result) runs() (names []string, runs []*Result) {
	name := r.How()
	if l := r.Live; l != nil {
		name = fmt.Sprintf("this computer, %s", Count(r.Experiment.Cores, "core"))
		if s := l.Simulated; s != nil {
			names, runs = append(names, fmt.Sprintf("simulated, %s", Count(s.Experiment.Cores, "core"))), append(runs, s)
		}
	}
	return append(names, name), append(runs, r)
}

// ratesSection has the rates, and how full the slots were.
func ratesSection(r *Result) section {
	occupancy := func(get func(*Occupancy) float64) func(*Result) (float64, bool) {
		return func(r *Result) (float64, bool) {
			if r.Occupancy == nil {
				return 0, false
			}
			return get(r.Occupancy), true
		}
	}
	columns := []column{
		{"IOPS", min(decimalsFor(r.IOPS), 1), share(func(r *Result) float64 { return r.IOPS })},
		{"MB/s", 1, share(func(r *Result) float64 { return r.ThroughputMB })},
		{"CPU busy %", 2, share(func(r *Result) float64 { return r.CPU.Busy })},
		{"in flight", 1, occupancy(func(o *Occupancy) float64 { return o.InFlight })},
		{"host full %", 2, occupancy(func(o *Occupancy) float64 { return o.HostFull })},
		{"LUN full %", 2, occupancy(func(o *Occupancy) float64 { return o.DeviceFull })},
	}
	s := section{head: []string{"rates"}, align: "l"}
	for _, c := range columns {
		s.head, s.align = append(s.head, c.head), s.align+"r"
	}
	if row, any := publishedRates(r, columns); any {
		s.rows = append(s.rows, row)
	}
	names, runs := r.runs()
	for i, run := range runs {
		row := []string{names[i]}
		for _, c := range columns {
			cell := ""
			if v, ok := c.of(run); ok {
				cell = fixed(v, c.decimals)
			}
			row = append(row, cell)
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// publishedRates is the published row, where a table has rates that compare.
func publishedRates(r *Result, columns []column) (row []string, any bool) {
	row = make([]string, len(columns)+1)
	row[0] = "published"
	if r.Published == nil {
		return row, false
	}
	for _, p := range r.Published.Rows {
		for i, suffix := range []string{".iops", ".throughput_mb_s"} {
			if strings.HasSuffix(p.Name, suffix) {
				row[i+1], any = fixed(p.Published, columns[i].decimals), true
			}
		}
	}
	return row, any
}

// sharesSection has the shares of busy time: the host lock's by function, its sum,
// and all contention; published, simulated and measured where there are such.
func sharesSection(r *Result) section {
	names, runs := r.runs()
	published := map[string]float64{}
	if r.Published != nil {
		for _, p := range r.Published.Rows {
			_, metric, _ := strings.Cut(p.Name, ".")
			published[metric] = p.Published
		}
	}
	s := section{head: []string{"% of busy CPU time"}, align: "l"}
	if len(published) > 0 {
		s.head, s.align = append(s.head, "published"), s.align+"r"
	}
	for _, n := range names {
		s.head, s.align = append(s.head, n), s.align+"r"
	}
	add := func(name, metric string, of func(*Result) float64) {
		row := []string{name}
		if len(published) > 0 {
			cell := ""
			if v, ok := published[metric]; ok {
				cell = fixed(v, 2)
			}
			row = append(row, cell)
		}
		for _, run := range runs {
			cell := fixed(of(run), 2)
			if run == r && r.Live != nil && r.Live.Samples > 0 && !r.Live.Disturbed() {
				cell += " ±" + fixed(r.Live.StdErr(of(run)), 2)
			}
			row = append(row, cell)
		}
		s.rows = append(s.rows, row)
	}
	if r.CPU.HostLock > 0 || len(published) > 0 {
		for _, f := range Functions {
			add(f, f+"_pct", func(r *Result) float64 { v, _ := r.CPU.HostLockByFunction.Get(f); return v })
		}
		add("host lock, sum", "host_lock_pct", func(r *Result) float64 { return r.CPU.HostLock })
	}
	add("all contention", "contention_pct", func(r *Result) float64 { return r.CPU.Contention })
	switch {
	case r.Live != nil:
		s.lines = liveLines(r)
	case r.Published != nil:
		s.lines = []string{Verdict(r.Published.Rows)}
	}
	return s
}

// liveLines say how far a live share may be compared.
func liveLines(r *Result) []string {
	l := r.Live
	var out []string
	if r.Published != nil {
		out = append(out, MechanismNote+": on 2 cores the share is r^2 / (1 + 2r + 2r^2), r = hold / think")
	}
	errors := fmt.Sprintf("± one standard error of sampling, n = %d", l.Samples)
	if l.Disturbed() {
		errors = fmt.Sprintf("DISTURBED by %.2f CPU of other processes: nothing to compare with", l.Neighbours)
	}
	if l.Scale != 1 {
		errors += fmt.Sprintf("; time scale %s, so no rate compares", number(l.Scale))
	}
	return append(out, errors)
}

// briefLatency is one line of quantiles.
func briefLatency(r *Result) section {
	decimals := decimalsFor(r.Latency.P50)
	s := section{head: []string{"latency, us"}, align: "l", rows: [][]string{{r.How()}}}
	for _, q := range r.Latency.quantiles() {
		s.head, s.align = append(s.head, q.Name), s.align+"r"
		s.rows[0] = append(s.rows[0], fixed(q.Value, decimals))
	}
	return s
}

// whereSection is where the time went, side by side with what was lost to others.
func whereSection(r *Result) section {
	s := section{head: []string{"CPU budget", "% of cores x time", "contention", "% of busy"}, align: "lrlr"}
	row := func(i int) []string {
		for len(s.rows) <= i {
			s.rows = append(s.rows, []string{"", "", "", ""})
		}
		return s.rows[i]
	}
	var values []float64
	for _, e := range r.CPU.Budget {
		values = append(values, e.Value)
	}
	slices.Sort(values)
	from := leastBudget
	if n := len(values); n > mostBudget {
		from = max(from, values[n-mostBudget])
	}
	n, rest, small := 0, 0.0, 0
	for _, e := range r.CPU.Budget {
		if e.Value < from {
			rest += e.Value
			small++
			continue
		}
		c := row(n)
		c[0], c[1] = e.Name, fixed(e.Value, 2)
		n++
	}
	if small > 0 {
		c := row(n)
		c[0], c[1] = Count(small, "smaller row"), fixed(rest, 2)
	}
	n = 0
	for _, e := range r.CPU.ContentionByClass {
		if e.Value >= leastClass {
			c := row(n)
			c[2], c[3] = e.Name, fixed(e.Value, 2)
			n++
		}
	}
	if n == 0 && len(s.rows) > 0 {
		s.rows[0][2] = "none above 0.05 %"
	}
	return s
}

// openSection is how to open the profile that was written.
func openSection(r *Result) section {
	s := section{flush: true}
	lines := profilesSection(r).lines
	if r.Live != nil {
		lines = append(lines, mutexSection(r).lines...)
	}
	for _, l := range lines {
		if _, command, ok := strings.Cut(l, "go tool pprof"); ok {
			s.lines = append(s.lines, "go tool pprof"+command)
		}
	}
	return s
}

// mostSet bounds how many parameters the short report lists, beside the setAround
// lines around them; leastNotes is how many lines the notes have in any case.
const (
	mostSet    = 8
	setAround  = 3
	leastNotes = 4
)

// setSection lists what was set or fitted, with where that was done: what the user
// gave first, then what was fitted, then the rest of the file.
func setSection(r *Result, most int) section {
	s := section{plain: true, head: []string{"set or fitted", "value", "by"}, align: "lrl"}
	var groups [3][]Parameter
	for _, p := range r.Parameters {
		switch {
		case strings.HasPrefix(p.Origin, "--"):
			groups[0] = append(groups[0], p)
		case p.Fitted:
			groups[1] = append(groups[1], p)
		case p.Origin != "":
			groups[2] = append(groups[2], p)
		}
	}
	more := 0
	for _, g := range groups {
		for _, p := range g {
			if len(s.rows) >= max(most, 1) {
				more++
				continue
			}
			by := p.Origin
			if p.Fitted {
				by = strings.TrimPrefix(by+", fitted", ", ")
			}
			s.rows = append(s.rows, []string{p.Name, p.Text(), by})
		}
	}
	if more > 0 {
		s.lines = []string{fmt.Sprintf("and %d more: --parameters lists all, each with its source", more)}
	}
	return s
}

// notesSection prints each note once, as many as there are lines for.
func notesSection(notes []string, lines int) section {
	s := section{list: true, wrap: true, flush: true}
	lines = max(lines, leastNotes) - 1 // the blank line above
	var each []string
	all := 0
	for _, n := range notes {
		if !slices.Contains(each, n) {
			each = append(each, n)
			all += len(wrapped(n, Width-len("- ")))
		}
	}
	if all > lines {
		lines-- // to say that there are more
	}
	left := 0
	for _, n := range each {
		need := len(wrapped(n, Width-len("- ")))
		if left > 0 || need > lines {
			left++
			continue
		}
		lines -= need
		s.lines = append(s.lines, n)
	}
	if left > 0 {
		s.lines = append(s.lines, fmt.Sprintf("%s more: --full", Count(left, "note")))
	}
	return s
}

// wrapped breaks a line between words.
func wrapped(line string, width int) []string {
	if text.RuneWidthWithoutEscSequences(line) <= width {
		return []string{line}
	}
	lines := strings.Split(strings.TrimRight(text.WrapSoft(line, width), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
