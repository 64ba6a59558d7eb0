package machine

import (
	"context"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"time"

	"go.uber.org/atomic"
)

// spinSite counts what one thread lost to one class of lock in one place of
// the call path. Only its thread writes it; the machine reads it meanwhile.
type spinSite struct {
	next   *spinSite
	class  string
	depth  int
	path   [maxPath]*Section
	stack  []uintptr       // of the first wait here
	labels context.Context // for the time of the wait; nil where labels are off

	count   atomic.Int64
	spun    atomic.Int64 // real nanoseconds
	blocked atomic.Int64 // real nanoseconds asleep in a mutex

	base siteCounts // at the beginning of the window; the machine's own
}

// siteCounts is the counters of a site, read together.
type siteCounts struct{ count, spun, blocked int64 }

func (s *spinSite) add(ns int64) {
	s.count.Inc()
	s.spun.Add(ns)
}

func (s *spinSite) addBlocked(ns int64) {
	s.count.Inc()
	s.blocked.Add(ns)
}

func (s *spinSite) counts() siteCounts {
	return siteCounts{s.count.Load(), s.spun.Load(), s.blocked.Load()}
}

// sinceBase is what was counted in the window.
func (s *spinSite) sinceBase() siteCounts {
	c := s.counts()
	return siteCounts{c.count - s.base.count, c.spun - s.base.spun, c.blocked - s.base.blocked}
}

// sections is the path that was entered at the site, outermost first.
func (s *spinSite) sections() []string {
	names := make([]string, 0, s.depth)
	for i := 1; i <= s.depth; i++ {
		names = append(names, s.path[i].Name)
	}
	return names
}

// key tells sites of different threads apart or together.
func (s *spinSite) key() string { return s.class + "\x00" + strings.Join(s.sections(), "\x00") }

// at reports whether the site is where t waits now for a lock of the class.
func (s *spinSite) at(t *Thread, class string, depth int) bool {
	if s.depth != depth || s.class != class {
		return false
	}
	for i := depth; i > 0; i-- {
		if s.path[i] != t.path[i] {
			return false
		}
	}
	return true
}

// spinSite is the site at which t waits now. A thread waits in few places, so
// that a list serves; each place allocates once. Its stack begins with Lock,
// which is that many frames above the caller.
func (t *Thread) spinSite(class string, above int) *spinSite {
	depth := min(t.depth, maxPath-1)
	first := t.lv.sites.Load()
	for s := first; s != nil; s = s.next {
		if s.at(t, class, depth) {
			return s
		}
	}
	s := &spinSite{next: first, class: class, depth: depth, path: t.path}
	pcs := make([]uintptr, 64)
	const own = 2 // Callers and spinSite
	s.stack = pcs[:runtime.Callers(own+above, pcs)]
	if m := t.live; m.labels != nil {
		section := ""
		if depth > 0 {
			section = t.path[depth].Name
		}
		s.labels = m.labels(class, section)
	}
	t.lv.sites.Store(s)
	return s
}

// baseSites begins the window of all sites of t.
func (t *Thread) baseSites() {
	for s := t.lv.sites.Load(); s != nil; s = s.next {
		s.base = s.counts()
	}
}

// setLabels gives the calling goroutine the labels of a context.
func setLabels(ctx context.Context) { pprof.SetGoroutineLabels(ctx) }

// siteTable adds up what the threads lost, by place and class of lock.
type siteTable struct {
	rows map[string]*siteRow
	spun time.Duration // real time, of all rows
}

type siteRow struct {
	site   *spinSite // one of those that were added up
	counts siteCounts
}

func newSiteTable() *siteTable { return &siteTable{rows: map[string]*siteRow{}} }

// addThread adds what a thread lost in the window.
func (st *siteTable) addThread(t *Thread) {
	for s := t.lv.sites.Load(); s != nil; s = s.next {
		c := s.sinceBase()
		if c.count == 0 {
			continue
		}
		row := st.rows[s.key()]
		if row == nil {
			row = &siteRow{site: s}
			st.rows[s.key()] = row
		}
		row.counts.count += c.count
		row.counts.spun += c.spun
		row.counts.blocked += c.blocked
		st.spun += time.Duration(c.spun)
	}
}

// samples is the table in rows, in the order of class and path: Spinning for
// spinlocks; and for mutexes Idle without core time, since the waiter's core
// was given to others, with the time that waiters lost as Blocked.
func (st *siteTable) samples() []Sample {
	keys := make([]string, 0, len(st.rows))
	for k := range st.rows {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := make([]Sample, 0, len(keys))
	for _, k := range keys {
		row := st.rows[k]
		s := Sample{
			Stack: row.site.stack, What: Spinning, Path: row.site.sections(), Class: row.site.class,
			Core: -1, Socket: -1, Count: row.counts.count,
			Time: time.Duration(row.counts.spun), Blocked: time.Duration(row.counts.blocked),
		}
		if len(s.Path) > 0 {
			s.Section = s.Path[len(s.Path)-1]
		}
		if row.counts.blocked > 0 {
			s.What = Idle
		}
		out = append(out, s)
	}
	return out
}
