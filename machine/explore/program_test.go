package explore_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hostlock/machine"
	"hostlock/machine/explore"
)

// program is a small test that rapid makes up: threads, two interrupt handlers,
// a device and a timer, which use the same few words, locks and completions.
type program struct {
	cores    int
	threads  [][]instr
	on       []int      // core of each thread
	handlers [2][]instr // of a softirq, and of a hardware interrupt
	device   []instr
}

type instr struct {
	op     string
	what   int // which word, lock, line
	n      uint64
	body   []instr
	unless bool // only where the value seen last is not 0
}

func (i instr) String() string {
	s := fmt.Sprintf("%s %d %d", i.op, i.what, i.n)
	if i.unless {
		s = "if seen: " + s
	}
	if len(i.body) > 0 {
		s += fmt.Sprint(" ", i.body)
	}
	return s
}

const programWords = 2

// words are operations that may be made anywhere.
func drawWord(t *rapid.T) instr {
	return instr{
		op:     rapid.SampledFrom([]string{"load", "load", "store", "add", "cas", "note"}).Draw(t, "op"),
		what:   rapid.IntRange(0, programWords-1).Draw(t, "word"),
		n:      uint64(rapid.IntRange(0, 2).Draw(t, "n")),
		unless: rapid.IntRange(0, 4).Draw(t, "if") == 0,
	}
}

func drawWords(t *rapid.T, most int) (out []instr) {
	for range rapid.IntRange(0, most).Draw(t, "words") {
		out = append(out, drawWord(t))
	}
	return
}

func drawProgram(t *rapid.T) *program {
	p := &program{cores: rapid.IntRange(1, 2).Draw(t, "cores")}
	for i := range p.handlers {
		p.handlers[i] = drawWords(t, 2)
		if rapid.IntRange(0, 3).Draw(t, "locks") == 0 {
			p.handlers[i] = []instr{{op: "lock", body: p.handlers[i]}}
		}
	}
	p.device = drawWords(t, 2)
	if rapid.IntRange(0, 2).Draw(t, "raises") == 0 {
		p.device = append(p.device, instr{op: "raise", what: rapid.IntRange(0, 1).Draw(t, "irq"), n: uint64(rapid.IntRange(0, p.cores-1).Draw(t, "core"))})
	}
	completed := false
	for range rapid.IntRange(2, 3).Draw(t, "threads") {
		var code []instr
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			k := rapid.IntRange(0, 11).Draw(t, "kind")
			switch {
			case k < 5:
				code = append(code, drawWord(t))
			case k < 7:
				code = append(code, instr{op: "lock", body: drawWords(t, 2)})
			case k == 7:
				code = append(code, instr{op: "lock", what: 1, body: drawWords(t, 1)})
			case k == 8:
				code = append(code, instr{op: "raise", what: rapid.IntRange(0, 1).Draw(t, "irq"), n: uint64(rapid.IntRange(0, p.cores-1).Draw(t, "core"))})
			case k == 9:
				code = append(code, instr{op: rapid.SampledFrom([]string{"arm", "arm", "disarm", "later", "now"}).Draw(t, "timer")})
			case k == 10 && !completed:
				completed = true
				code = append(code, instr{op: "wait"})
			case k == 10:
				code = append(code, instr{op: "complete"})
			case rapid.IntRange(0, 2).Draw(t, "plain") == 0:
				code = append(code, instr{op: rapid.SampledFrom([]string{"touch", "look"}).Draw(t, "plain")})
			default:
				code = append(code, instr{op: rapid.SampledFrom([]string{"yield", "try", "relax"}).Draw(t, "odd"), what: 1})
			}
		}
		p.threads = append(p.threads, code)
		p.on = append(p.on, rapid.IntRange(0, p.cores-1).Draw(t, "on"))
	}
	if completed {
		i := rapid.IntRange(0, len(p.threads)-1).Draw(t, "completes")
		p.threads[i] = append(p.threads[i], instr{op: "complete"})
	}
	return p
}

// test is the program as explore runs it. seen collects what came of each
// schedule that was run to its end.
func (p *program) test(seen map[string]int) explore.Test {
	return func(m *mach) (func() error, error) {
		var words [programWords]*machine.Word
		for i := range words {
			words[i] = word(0)
		}
		locks := [2]*machine.SpinLock{spin(m, "a"), spin(m, "b")}
		under := machine.NewLine("under lock a")
		noted := machine.NewLine("noted")
		var notes []string
		var done machine.Completion
		done.Init()
		var irqs [2]machine.IRQ
		var device, later machine.Timer
		views := make([]string, 0, 8)
		var run func(t *thread, who string, code []instr)
		run = func(t *thread, who string, code []instr) {
			at := len(views)
			views = append(views, who)
			last := uint64(0)
			var do func(code []instr)
			do = func(code []instr) {
				for _, i := range code {
					if i.unless && last == 0 {
						continue
					}
					switch w := words[i.what%programWords]; i.op {
					case "load":
						last = w.Load(t)
					case "store":
						w.Store(t, i.n)
					case "add":
						last = w.Add(t, i.n)
					case "cas":
						last = 0
						if w.CAS(t, i.n, i.n+1) {
							last = 1
						}
					case "note":
						w.Load(t)
						t.Note(noted)
						notes = append(notes, who)
					case "touch":
						t.Touch(under)
					case "look":
						t.Look(under)
					case "relax":
						if w.Load(t) == 0 {
							t.Relax(w)
						}
					case "lock":
						off := i.what == 0 && t.IRQSave()
						locks[i.what].Lock(t)
						if i.what == 0 {
							t.Touch(under)
						}
						do(i.body)
						locks[i.what].Unlock(t)
						if i.what == 0 {
							t.IRQRestore(off)
						}
					case "try":
						if locks[1].TryLock(t) {
							last++
							locks[1].Unlock(t)
						} else {
							last = 0
						}
					case "raise":
						irqs[i.what].Raise(t, int(i.n))
					case "arm":
						device.Arm(t, 1)
					case "later":
						later.Arm(t, 1)
					case "now":
						last = 0
						if later.Disarm(t) {
							last = 1
						}
					case "disarm":
						last = 0
						if device.Disarm(t) {
							last = 1
						}
					case "wait":
						done.Wait(t)
					case "complete":
						done.Complete(t)
					case "yield":
						t.Yield()
					}
					views[at] += fmt.Sprint(" ", last)
				}
			}
			do(code)
		}
		for i := range irqs {
			name := []string{"soft", "hard"}[i]
			irqs[i].Init(m, name, []machine.Level{machine.Soft, machine.Hard}[i], func(t *thread) { run(t, fmt.Sprint(name, t.Core()), p.handlers[i]) })
		}
		device.Init(m, "device", machine.Device, func(t *thread) { run(t, "device", p.device) })
		later.Init(m, "later", machine.Soft, func(t *thread) { run(t, fmt.Sprint("later", t.Core()), p.handlers[0]) })
		for i, code := range p.threads {
			m.Go(fmt.Sprint("t", i), p.on[i], false, func(t *thread) { run(t, fmt.Sprint("t", i), code) })
		}
		return func() error {
			// Each agent's own views are in order; agents are sorted by name.
			by := map[string][]string{}
			for _, v := range views {
				name, _, _ := strings.Cut(v, " ")
				by[name] = append(by[name], v)
			}
			s := fmt.Sprint(by, notes)
			for _, w := range words {
				s += fmt.Sprint(" ", w.Peek())
			}
			seen[s]++
			return nil
		}, nil
	}
}

func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d cores\n", p.cores)
	for i, c := range p.threads {
		fmt.Fprintf(&b, "thread %d on core %d: %v\n", i, p.on[i], c)
	}
	fmt.Fprintf(&b, "softirq: %v\nhardware interrupt: %v\ndevice: %v\n", p.handlers[0], p.handlers[1], p.device)
	return b.String()
}
