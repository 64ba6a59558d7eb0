package machine

import "fmt"

// Kind is a lock's algorithm. In virtual time it selects a hand-off model; on
// the live machine only TAS and Mutex are real, since a fair queue of
// goroutines collapses for good as soon as one that holds a place in it is not
// running.
type Kind uint8

const (
	// Ticket is the FIFO lock of x86 Linux 2.6.25 to 4.1: one word that every
	// waiter spins on.
	Ticket Kind = iota
	// TAS is a test-and-test-and-set lock: any waiter may win.
	TAS
	// Queued is an MCS-style lock, as Linux has since 4.2: every waiter spins
	// on a line of its own.
	Queued
	// Mutex puts waiters to sleep.
	Mutex
)

var kinds = []struct {
	name, about string
}{
	{"ticket", "FIFO, all waiters spin on one word; hand-off grows with their number (x86 Linux 2.6.25 to 4.1)"},
	{"tas", "test-and-test-and-set, no order; all waiters rush at each release"},
	{"queued", "MCS-style, each waiter spins on its own line; constant hand-off (x86 Linux since 4.2)"},
	{"mutex", "waiters sleep and are woken; spins nothing"},
}

// Kinds lists the names of all kinds, in the order of their constants.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// String is the name that ParseKind takes.
func (k Kind) String() string { return kinds[k].name }

// About is one line on what the kind is.
func (k Kind) About() string { return kinds[k].about }

// ParseKind takes a name of Kinds; its error names them all.
func ParseKind(name string) (Kind, error) {
	for i, k := range kinds {
		if k.name == name {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("unknown lock kind %q; legal: %v", name, Kinds())
}
