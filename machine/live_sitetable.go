package machine

import (
	"sort"
	"time"
)

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
func (st *siteTable) samples(scaled func(time.Duration) time.Duration) []Sample {
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
			Time: scaled(time.Duration(row.counts.spun)), Blocked: scaled(time.Duration(row.counts.blocked)),
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
