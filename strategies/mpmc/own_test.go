package mpmc_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hostlock/machine"
	"hostlock/machine/explore"
	"hostlock/strategies/mpmc"
)

// commandsVar gives the long form: HOSTLOCK_COMMANDS=100000000 go test
// ./strategies/mpmc -run TestOneOwner
const commandsVar = "HOSTLOCK_COMMANDS"

// object is what goes round in a ring. Its words are plain, so that the race
// detector sees two owners as well as the words do.
type object [8]uint64

// pit is a ring of objects, and threads that fight over them, in the manner of
// DPDK's stress test: who takes an object owns it, writes its own id into every
// word, lets others run, and finds every word as it was.
type pit struct {
	ring    *mpmc.Ring
	objects []object
}

// newPit has as many objects as the ring takes, so that it is full at first, and
// empty when the threads have them all.
func newPit(capacity int, start uint64) *pit {
	p := &pit{ring: mpmc.NewAt("pit", capacity, start)}
	p.objects = make([]object, p.ring.Cap())
	for i := range p.objects {
		p.ring.Fill(uint32(i))
	}
	return p
}

// burst is the most objects that a thread has at a time.
const burst = 3

// fight is a thread: it takes and gives back so many objects, and says what it
// found wrong.
func (p *pit) fight(t *machine.Thread, id uint64, times int) error {
	var mine []uint32
	for n := 0; n < times; {
		mine = mine[:0]
		for len(mine) < 1+n%burst {
			v, ok := p.ring.Dequeue(t)
			if !ok {
				if len(mine) > 0 {
					break
				}
				t.Relax(p.ring.Tail())
				continue
			}
			mine = append(mine, v)
		}
		stamp := id<<32 | uint64(n)
		for _, v := range mine {
			for w := range p.objects[v] {
				p.objects[v][w] = stamp
			}
		}
		if n%7 == 0 || t.Hooked() {
			t.Yield()
		}
		for _, v := range mine {
			for w, found := range p.objects[v] {
				if found != stamp {
					return fmt.Errorf("thread %d owns object %d, whose word %d thread %d wrote", id, v, w, found>>32)
				}
			}
			for !p.ring.Enqueue(t, v) {
				t.Relax(p.ring.Head())
			}
		}
		n += len(mine)
	}
	return nil
}

// check is what must hold when all threads have ended: every object is there,
// once, and nothing else.
func (p *pit) check() error {
	var t machine.Thread
	seen := make([]bool, len(p.objects))
	for n := range p.objects {
		v, ok := p.ring.Dequeue(&t)
		if !ok {
			return fmt.Errorf("%d objects of %d are left", n, len(p.objects))
		}
		if seen[v] {
			return fmt.Errorf("object %d is there twice", v)
		}
		seen[v] = true
	}
	if v, ok := p.ring.Dequeue(&t); ok {
		return fmt.Errorf("object %d is one too many", v)
	}
	return nil
}

// TestOneOwner fights on real cores, from every start.
func TestOneOwner(t *testing.T) {
	const threads = 6
	total := 120_000
	if text := os.Getenv(commandsVar); text != "" {
		var err error
		total, err = strconv.Atoi(text)
		require.NoError(t, err, "%s", commandsVar)
	}
	for _, start := range mpmc.Starts {
		t.Run(fmt.Sprintf("%#x", start), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			// Few cells, so that the ring is full and empty all the time, and many.
			for _, capacity := range []int{2, 8, 64} {
				p := newPit(capacity, start)
				m, err := machine.NewLive(machine.LiveConfig{Calibration: 500})
				if err != nil {
					t.Skip(err)
				}
				for id := range uint64(threads) {
					m.Go(fmt.Sprint("fighter/", id), int(id), false, func(th *machine.Thread) {
						if err := p.fight(th, id, total/len(mpmc.Starts)/3/threads); err != nil {
							panic(err)
						}
					})
				}
				_, err = m.Run(context.Background(), machine.Course{})
				require.NoError(t, err)
				require.NoError(t, p.check())
			}
		})
	}
}

// TestOneOwnerExplored does under schedules of the explorer.
func TestOneOwnerExplored(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 60
	}
	for _, start := range mpmc.Starts {
		t.Run(fmt.Sprintf("%#x", start), func(t *testing.T) {
			r, err := explore.Run(context.Background(), explore.Config{Cores: 3, Seed: 1, Schedules: n}, func(m *explore.Machine) (func() error, error) {
				p := newPit(2, start)
				var wrong error
				for id := range uint64(3) {
					m.Go(fmt.Sprint("fighter/", id), int(id), false, func(th *machine.Thread) {
						if err := p.fight(th, id, 4); err != nil {
							wrong = err
						}
					})
				}
				return func() error {
					if wrong != nil {
						return wrong
					}
					return p.check()
				}, nil
			})
			require.NoError(t, err)
			if r.Failure != nil {
				t.Fatal(r.Failure, r.Failure.Schedule)
			}
		})
	}
}
