package machine

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Steady state allocates nothing.
func TestLiveAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	defer goleak.VerifyNone(t)
	m := newTestLive(t, LiveConfig{LockKinds: map[string]Kind{"mutex": Mutex}})
	var tas, mutex SpinLock
	tas.Init(m, "tas")
	mutex.Init(m, "mutex")
	var rw RWMutex
	var word Word
	word.Init(NewLine("word"), 0)
	var done, back Completion
	done.Init()
	back.Init()
	var tm, idle Timer
	tm.Init(m, "device", Device, func(th *Thread) { done.Complete(th) })
	idle.Init(m, "timeout", Device, func(*Thread) {})
	var q IRQ
	q.Init(m, "irq", Hard, func(th *Thread) { done.Complete(th) })
	m.Go("echo", 1, true, func(th *Thread) {
		for {
			back.Wait(th)
			done.Complete(th)
		}
	})
	m.Go("measured", 0, false, func(th *Thread) {
		for name, op := range map[string]func(){
			"TAS":   func() { tas.Lock(th); tas.Unlock(th) },
			"mutex": func() { mutex.Lock(th); mutex.Unlock(th) },
			"try":   func() { tas.TryLock(th); tas.Unlock(th) },
			"rw":    func() { rw.Lock(th); rw.Unlock(th); rw.RLock(th); rw.RUnlock(th) },
			"word": func() {
				word.Load(th)
				word.Store(th, 1)
				word.Add(th, 1)
				word.CAS(th, 2, 3)
				word.Swap(th, 4)
				word.Dec(th)
				th.Relax(&word)
			},
			"section":  func() { th.Enter(sectionQueue); th.Leave() },
			"work":     func() { th.Work(time.Microsecond) },
			"sleep":    func() { th.Sleep(time.Microsecond) },
			"complete": func() { done.Complete(th); done.Wait(th) },
			"switch":   func() { back.Complete(th); done.Wait(th) },
			"disarm":   func() { idle.Arm(th, time.Hour); idle.Disarm(th) },
			"timer":    func() { tm.Arm(th, time.Microsecond); done.Wait(th) },
			"irq":      func() { q.Raise(th, 1); done.Wait(th) },
			"now":      func() { th.Now() },
			"site":     func() { th.spinSite("tas", 0).add(1) },
		} {
			for range 100 {
				op() // first uses may allocate
			}
			if n := testing.AllocsPerRun(200, op); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	})
	runAll(t, m, Course{})
}

// inlined are the operations of the measured path: what they cost beyond the
// atomic itself is a nil check, only as long as the compiler inlines them.
var inlined = []string{
	"(*SpinLock).Lock", "(*SpinLock).Unlock",
	"(*Word).Load", "(*Word).Store", "(*Word).Add", "(*Word).Dec", "(*Word).Swap", "(*Word).CAS",
	"(*Thread).Touch", "(*Thread).Look", "(*Thread).Enter", "(*Thread).Leave",
	"(*Thread).IRQSave", "(*Thread).IRQRestore",
}

// outlined are the functions by whose names a profile is read.
var outlined = []string{"(*SpinLock).spinTAS", "burn", "idlePoll"}

func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the compiler")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	text, err := exec.Command(goTool, "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	verdict := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if _, rest, ok := strings.Cut(line, ": can inline "); ok {
			name, why, _ := strings.Cut(rest, " with ")
			verdict[name] = "inlines: " + strings.TrimSpace(why)
		}
		if _, rest, ok := strings.Cut(line, ": cannot inline "); ok {
			name, why, _ := strings.Cut(rest, ": ")
			verdict[name] = "does not: " + strings.TrimSpace(why)
		}
	}
	for _, name := range inlined {
		if !strings.HasPrefix(verdict[name], "inlines") {
			t.Errorf("%s should inline, but %s", name, verdict[name])
		}
	}
	for _, name := range outlined {
		if !strings.HasPrefix(verdict[name], "does not: marked go:noinline") {
			t.Errorf("%s should be marked go:noinline, but %s", name, verdict[name])
		}
	}
}
