package planted

import (
	"hostlock/dispatch"
	"hostlock/machine"
	"hostlock/strategies"
)

// limits are mistakes in the counting of a host's slots, under the shipped
// per-queue strategy, which takes any limit.
var limits = []struct {
	name, about string
	new         func(h *dispatch.Host) (dispatch.Strategy, error)
}{
	{"tests, then counts", "the limit is tested before the slot is counted", limited(func(l *brokenLimit) {
		l.take = func(t *machine.Thread) bool {
			if l.busy.Load(t) >= l.limit {
				return false
			}
			l.busy.Add(t, 1)
			return true
		}
	})},
	{"loads, then stores", "a slot is taken by a load and a store", limited(func(l *brokenLimit) {
		l.take = func(t *machine.Thread) bool {
			n := l.busy.Load(t)
			if n >= l.limit {
				return false
			}
			l.busy.Store(t, n+1)
			return true
		}
	})},
	{"one too many", "the limit is compared by the wrong operator", limited(func(l *brokenLimit) { l.limit++ })},
	{"failed take kept", "a slot that was one too many is not given back", limited(func(l *brokenLimit) {
		l.take = func(t *machine.Thread) bool { return l.busy.Add(t, 1) <= l.limit }
	})},
	{"test, then decrement", "a slot is given back only where the count was seen above 1", limited(func(l *brokenLimit) {
		l.give = func(t *machine.Thread) {
			if l.busy.Load(t) > 1 {
				l.busy.Dec(t)
			} else {
				l.busy.Store(t, 0)
			}
		}
	})},
	{"gives twice", "now and then a slot is given back twice", limited(func(l *brokenLimit) {
		l.give = func(t *machine.Thread) {
			if l.busy.Dec(t) == 1 {
				l.busy.Dec(t)
			}
		}
	})},
	{"leaks now and then", "one slot in ten is not given back", limited(func(l *brokenLimit) {
		n := 0
		l.give = func(t *machine.Thread) {
			if n++; n%10 != 0 {
				l.busy.Dec(t)
			}
		}
	})},
	{"gives twice now and then", "one slot in ten is given back twice", limited(func(l *brokenLimit) {
		n := 0
		l.give = func(t *machine.Thread) {
			if n++; n%10 == 0 {
				l.busy.Dec(t)
			}
			l.busy.Dec(t)
		}
	})},
	{"always full", "whoever was refused never looks again: Full is always true", limited(func(l *brokenLimit) {
		l.full = func(*machine.Thread) bool { return true }
	})},
	{"full, told late", "whether it is full is kept in a flag, which whoever gives a slot back clears before it gives it", limited(func(l *brokenLimit) {
		take := l.take
		l.take = func(t *machine.Thread) bool {
			if take(t) {
				return true
			}
			l.word.Store(t, 1)
			return false
		}
		l.give = func(t *machine.Thread) { l.word.Store(t, 0); l.busy.Dec(t) }
		l.full = func(t *machine.Thread) bool { return l.word.Load(t) != 0 }
	})},
	{"foreign mutex", "the count is under a sync.Mutex, which no machine sees", plugged(func(n int) strategies.Limit { return &foreignMutex{most: n} })},
	{"foreign atomic", "the count is an atomic of Go's own", plugged(func(n int) strategies.Limit { return &foreignAtomic{most: int64(n)} })},
	{"free list without a version", "slots are in a list whose head is swapped without a version: ABA", plugged(func(n int) strategies.Limit { return newFreeList(n) })},
	{"counters that wrap", "what was taken and given is in counters of 16 bits, compared without regard to their wrap", plugged(func(n int) strategies.Limit { return newShortCounts(n) })},
	{"two locks, both ways", "two locks of the strategy's own are taken one way round to take a slot, and the other way to give it back", func(h *dispatch.Host) (dispatch.Strategy, error) {
		return strategies.NewPerQueue(h, newBothWays(h)), nil
	}},
	{"a neighbour's slot given twice", "who took a slot of another stripe than its own gives one to both", func(h *dispatch.Host) (dispatch.Strategy, error) {
		return strategies.NewPerQueue(h, newStripes(h)), nil
	}},
	{"hand-made lock", "the count is guarded by a lock made of a load and a store", limited(func(l *brokenLimit) {
		lock := func(t *machine.Thread) {
			for l.word.Load(t) != 0 {
				t.Relax(&l.word)
			}
			l.word.Store(t, 1)
		}
		change := func(t *machine.Thread, by uint64) bool {
			off := t.IRQSave()
			defer t.IRQRestore(off)
			lock(t)
			defer l.word.Store(t, 0)
			n := l.busy.Load(t)
			if by == 1 && n >= l.limit {
				return false
			}
			l.busy.Store(t, n+by)
			return true
		}
		l.take = func(t *machine.Thread) bool { return change(t, 1) }
		l.give = func(t *machine.Thread) { change(t, ^uint64(0)) }
	})},
	{"never released", "a retry loop waits for a word that its own early return left set", limited(func(l *brokenLimit) {
		l.take = func(t *machine.Thread) bool {
			off := t.IRQSave()
			defer t.IRQRestore(off)
			for !l.word.CAS(t, 0, 1) {
				t.Relax(&l.word)
			}
			if l.busy.Load(t) >= l.limit {
				return false
			}
			l.busy.Add(t, 1)
			l.word.Store(t, 0)
			return true
		}
	})},
}

// brokenLimit is strategies.Counter with its methods open to mistakes.
type brokenLimit struct {
	busy, word machine.Word
	limit      uint64
	take, full func(t *machine.Thread) bool
	give       func(t *machine.Thread)
}

// plugged is per-queue with a limit of one's own.
func plugged(limit func(slots int) strategies.Limit) func(h *dispatch.Host) (dispatch.Strategy, error) {
	return func(h *dispatch.Host) (dispatch.Strategy, error) {
		return strategies.NewPerQueue(h, limit(h.Template.CanQueue)), nil
	}
}

func limited(spoil func(l *brokenLimit)) func(h *dispatch.Host) (dispatch.Strategy, error) {
	return func(h *dispatch.Host) (dispatch.Strategy, error) {
		l := &brokenLimit{limit: uint64(h.Template.CanQueue)}
		l.busy.Init(machine.NewLine("host_busy"), 0)
		l.word.Init(machine.NewLine("host_word"), 0)
		l.take = func(t *machine.Thread) bool {
			if l.busy.Add(t, 1) <= l.limit {
				return true
			}
			l.busy.Dec(t)
			return false
		}
		l.give = func(t *machine.Thread) { l.busy.Dec(t) }
		l.full = func(t *machine.Thread) bool { return l.busy.Load(t) >= l.limit }
		spoil(l)
		return strategies.NewPerQueue(h, l), nil
	}
}

func (l *brokenLimit) Take(t *machine.Thread) bool  { return l.take(t) }
func (l *brokenLimit) Give(t *machine.Thread)       { l.give(t) }
func (l *brokenLimit) Full(t *machine.Thread) bool  { return l.full(t) }
func (l *brokenLimit) Taken(t *machine.Thread) int  { return int(l.busy.Load(t)) }
func (l *brokenLimit) Alone(t *machine.Thread) bool { return l.busy.Load(t) == 1 }
