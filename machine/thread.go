package machine

import (
	"math/rand/v2"
	"time"
)

// Thread is one flow of control: a workload's thread, an interrupt handler, a
// kernel work item. It is handed down every path, as a context is, and is
// used by one goroutine or coroutine only.
type Thread struct {
	hook  Hook // nil on the live machine
	live  *Live
	rng   *rand.Rand
	core  int
	id    int
	name  string
	path  [maxPath]*Section // what has been entered; path[0] stays nil
	depth int
	lv    liveThread
	_     [64]byte // the next thread's hook is read all the time
}

// maxPath bounds how deep sections nest on one thread: workload, block layer,
// run queue, request_fn, dispatch, queuecommand, and room for as many more.
const maxPath = 16

// Attach makes t a thread of a machine other than live. It is for the
// implementors of machines; code under study never calls it.
func (t *Thread) Attach(h Hook, name string, id, core int, rng *rand.Rand) {
	t.hook, t.name, t.id, t.core, t.rng = h, name, id, core, rng
}

// SetCore tells t on which core it runs now; for machines only.
func (t *Thread) SetCore(core int) { t.core = core }

// Core is the core that t runs on. On the live machine it is a tag between 0
// and the core count, fixed for the thread, since Go does not say where a
// goroutine runs.
func (t *Thread) Core() int { return t.core }

// ID numbers the thread on its machine, from 0, in order of creation.
func (t *Thread) ID() int { return t.id }

// Name is what the thread was started as.
func (t *Thread) Name() string { return t.name }

// Rand is the thread's own random sub-stream, a function of the machine's
// seed and the thread's name alone.
func (t *Thread) Rand() *rand.Rand { return t.rng }

// Section is the innermost section that t has entered, or nil.
func (t *Thread) Section() *Section { return t.path[t.depth&(maxPath-1)] }

// Hooked reports whether a machine other than live runs this thread.
func (t *Thread) Hooked() bool { return t.hook != nil }

// Work spends d of processor time: on the live machine by a calibrated loop,
// scaled by the machine's time scale; in virtual time by occupying the core.
// Interrupts may preempt it while they are on.
func (t *Thread) Work(d time.Duration) {
	if t.hook != nil {
		t.hook.Work(d)
		return
	}
	t.live.burn(d)
}

// Sleep gives the core up for d, scaled as Work is.
func (t *Thread) Sleep(d time.Duration) {
	if t.hook != nil {
		t.hook.Sleep(d)
		return
	}
	t.live.sleep(d)
}

// Yield lets other threads of the core run, if any wait for it.
func (t *Thread) Yield() {
	if t.hook != nil {
		t.hook.Yield()
		return
	}
	t.live.yield()
}

// CanSpin reports whether a lock's waiter that would sleep should spin a little
// first, by the rule of Go's runtime: another processor runs, which may release
// the lock, and nothing waits for this one. The live machine says no: its
// sleeping locks are Go's own, which ask the runtime themselves.
func (t *Thread) CanSpin() bool { return t.hook != nil && t.hook.CanSpin() }

// Operations is how many operations on words, lines and locks the thread has made,
// on a machine that charges them; 0 on any other.
func (t *Thread) Operations() uint64 {
	if t.hook != nil {
		return t.hook.Operations()
	}
	return 0
}

// Now is the time since the machine was started; on the live machine in the
// experiment's time scale, so that it compares with the durations handed to
// Work and Sleep.
func (t *Thread) Now() time.Duration {
	if t.hook != nil {
		return t.hook.Now()
	}
	return t.live.now()
}

// IRQSave turns interrupts off on t's core and reports whether they were off
// already (the kernel's local_irq_save). The live machine has no interrupts to
// turn off: its handlers are goroutines.
func (t *Thread) IRQSave() bool {
	if t.hook != nil {
		return t.hook.IRQSave()
	}
	return false
}

// IRQRestore takes back what IRQSave reported (local_irq_restore); pending
// interrupts are served at once where that turns them on.
func (t *Thread) IRQRestore(wasOff bool) {
	if t.hook != nil {
		t.hook.IRQRestore(wasOff)
	}
}

// Touch stands for a write to plain fields on a line that other cores share.
// The fields themselves are the caller's and are protected by its lock.
func (t *Thread) Touch(l *Line) {
	if t.hook != nil {
		t.hook.Access(l, nil, OpStore)
	}
}

// Look stands for a read of plain fields on a shared line.
func (t *Thread) Look(l *Line) {
	if t.hook != nil {
		t.hook.Access(l, nil, OpLoad)
	}
}

// Note marks a use of the lab's own instruments: of something that several
// threads change and that is no part of the path, such as a count of what is
// with the driver. It costs nothing on any machine; where schedules are
// explored, those that differ in the order of what l stands for are different
// ones.
func (t *Thread) Note(l *Line) {
	if t.hook != nil {
		t.hook.Note(l)
	}
}
