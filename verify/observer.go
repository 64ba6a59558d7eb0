package verify

import (
	"fmt"
	"sync"

	"hostlock/dispatch"
	"hostlock/dispatch/scsi"
	"hostlock/machine"
)

// observer is what the driver's side of the boundary knows about every
// command, apart from any strategy. It belongs to one host.
type observer struct {
	mu      sync.Mutex
	cmds    map[int64]*seen   // by the request's sector, which is unique
	ordered bool              // commands must come in the order of their submission
	due     map[order][]int64 // sectors that are to come, by who submitted and where
	dues    machine.Line      // stands for them
	// abandons says that a command may fail while the driver has it: its time was
	// over, and its host beyond recovery.
	abandons bool
	// tries is how often a command may be given to the driver and be kept by it,
	// those apart that it says it had no room for.
	tries int
	// blind says that the driver tells nothing, so that nothing is known.
	blind bool
	err   error
	// serials are the numbers that commands have had, and numbered the same in
	// their order.
	serials  map[uint64]serial
	numbered []uint64
	turn     int
	fair     *fairness // nil where nobody looks
}

// serial is whose a serial number was.
type serial struct {
	sector int64
	turn   int
}

// seen is what is known of one command.
type seen struct {
	inside bool // with the driver
	held   bool // must not reach it
	why    string
	times  int // it was given to the driver
	tries  int // of them, that count as tries
	result scsi.Result
	line   machine.Line // stands for all that
}

// order is a sequence whose order is promised.
type order struct {
	issuer *dispatch.Issuer
	dev    *dispatch.Device
}

func (o *observer) reset(ordered bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ordered = ordered
	o.turn++
	if o.cmds == nil {
		o.cmds, o.due = map[int64]*seen{}, map[order][]int64{}
	}
	clear(o.cmds)
	clear(o.due)
}

// fault keeps the first thing that went wrong; o.mu is held.
func (o *observer) fault(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

func (o *observer) report(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fault(format, args...)
}

// trouble is the first thing that went wrong.
func (o *observer) trouble() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// of is what is known of the command of a sector; o.mu is held.
func (o *observer) of(t *machine.Thread, sector int64) *seen {
	if o.cmds == nil {
		o.cmds, o.due = map[int64]*seen{}, map[order][]int64{}
	}
	s := o.cmds[sector]
	if s == nil {
		s = &seen{line: machine.Line{Class: "command as the driver sees it"}}
		o.cmds[sector] = s
	}
	t.Note(&s.line)
	return s
}

// hold says that the command of a sector must not reach the driver until it is
// let go, and why.
func (o *observer) hold(t *machine.Thread, sector int64, why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.of(t, sector)
	s.held, s.why = why != "", why
}

// given is called when the driver gets a command.
func (o *observer) given(t *machine.Thread, cmd *dispatch.Command) {
	o.mu.Lock()
	defer o.mu.Unlock()
	rq := cmd.Request
	s := o.of(t, rq.Sector)
	switch {
	case s.inside:
		o.fault("%s: the driver has this command already", what(rq))
	case s.held:
		o.fault("%s reached the driver although %s", what(rq), s.why)
	}
	if !rq.Op.OfHandler() {
		o.number(cmd)
	}
	if op, sector, _, ok := dispatch.DecodeCDB(&cmd.CDB); !ok || op != rq.Op || sector != rq.Sector {
		o.fault("%s: its command block says %v of sector %d", what(rq), op, sector)
	}
	if o.ordered {
		t.Note(&o.dues)
		if due := o.due[order{rq.Issuer(), rq.Device}]; len(due) > 0 && due[0] != rq.Sector {
			o.fault("%s came before that of sector %d, which was submitted earlier", what(rq), due[0])
		}
	}
	s.inside = true
	s.times++
	if o.fair != nil {
		o.fair.given(rq.Device)
	}
}

// numbers is how many serial numbers are remembered: more than a counter of 16 bits
// has.
const numbers = 1 << 17

// number looks at a command's serial number: there is one, and no other command of
// the last many has had it. A command that is tried again may keep its own.
func (o *observer) number(cmd *dispatch.Command) {
	rq := cmd.Request
	if cmd.Serial == 0 {
		o.fault("%s reached the driver without a serial number", what(rq))
		return
	}
	mine := serial{rq.Sector, o.turn}
	if other, is := o.serials[cmd.Serial]; is && other != mine {
		o.fault("%s has serial number %d, as the command of sector %d had before", what(rq), cmd.Serial, other.sector)
	}
	if o.serials == nil {
		o.serials = map[uint64]serial{}
	}
	if len(o.numbered) == numbers {
		delete(o.serials, o.numbered[0])
		o.numbered = o.numbered[1:]
	}
	o.numbered = append(o.numbered, cmd.Serial)
	o.serials[cmd.Serial] = mine
}

// submitted is called before a request of an ordered sequence is.
func (o *observer) submitted(t *machine.Thread, rq *dispatch.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t.Note(&o.dues)
	k := order{rq.Issuer(), rq.Device}
	o.due[k] = append(o.due[k], rq.Sector)
}

// accepted is called when the driver keeps a command.
func (o *observer) accepted(t *machine.Thread, cmd *dispatch.Command) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ordered {
		t.Note(&o.dues)
		k := order{cmd.Request.Issuer(), cmd.Device()}
		if due := o.due[k]; len(due) > 0 {
			o.due[k] = due[1:]
		}
	}
	s := o.of(t, cmd.Request.Sector)
	if s.tries++; o.tries > 0 && s.tries > o.tries {
		o.fault("%s was tried %d times, and may be %d times", what(cmd.Request), s.tries, o.tries)
	}
}

// taken is called when the driver refuses a command.
func (o *observer) taken(t *machine.Thread, cmd *dispatch.Command) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.of(t, cmd.Request.Sector).inside = false
}

// done is called when the driver completes a command.
func (o *observer) done(t *machine.Thread, cmd *dispatch.Command) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.of(t, cmd.Request.Sector)
	if !s.inside {
		o.fault("%s: the driver completes a command that it does not have", what(cmd.Request))
	}
	s.inside = false
	if cmd.Result.Status == scsi.TaskSetFull {
		s.tries--
	}
	o.unfair(cmd.Device())
	s.result = cmd.Result
	s.result.NoSenseData = false // the error handler will ask
}

// finished is called by the issuer with what became of a request.
func (o *observer) finished(t *machine.Thread, sector int64, err error, mayFail bool) {
	if o.blind {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.of(t, sector)
	s.tries = 0
	switch {
	case s.inside && !(o.abandons && err != nil):
		o.fault("the command of sector %d is finished while the driver has it", sector)
	case err == nil && s.times == 0:
		o.fault("the command of sector %d succeeded without the driver", sector)
	case err == nil && s.result.Err() != nil:
		o.fault("the command of sector %d succeeded, but the driver said: %v", sector, s.result.Err())
	case err != nil && s.result.Err() == nil && !mayFail:
		o.fault("the command of sector %d failed, but the driver did not say so: %v", sector, err)
	}
}

func what(rq *dispatch.Request) string {
	return fmt.Sprintf("%v of sector %d on %s", rq.Op, rq.Sector, rq.Device.Name())
}
