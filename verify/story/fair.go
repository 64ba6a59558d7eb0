package story

import (
	"fmt"

	"hostlock/dispatch"
	"hostlock/machine"
)

const (
	// crowd is how many LUNs want the host's few slots.
	crowd = 8
	// passedBy is how many commands of others may complete while a LUN has some
	// waiting and none of its own does: with 32 commands waiting on a host of two
	// slots a fair order lets each come after some thirty.
	passedBy = 1000
	// turns is how many commands there are in all.
	turns = 6 * passedBy
)

// LUNs that always have commands waiting all get theirs done: nobody is passed by
// for ever. It is no rule of the kernel's that their shares are equal.
func everyTurn(s *scene) {
	if slow || !s.open(plain(stage{targets: 1, luns: crowd, set: map[string]string{"host.can_queue": "2", "host.cmd_per_lun": "2"}})) {
		return
	}
	done, last, worst := 0, make([]int, crowd), make([]int, crowd)
	for n := range crowd {
		s.thread(fmt.Sprint("lun ", n), func(t *machine.Thread, iss *dispatch.Issuer) {
			d := s.sys.Devices()[n]
			var rqs []*dispatch.Request
			for i := range 4 {
				rqs = append(rqs, submit(t, iss, d, i))
			}
			last[n] = done
			for len(rqs) > 0 {
				s.failed(iss.Wait(t, rqs[0]))
				rqs = rqs[1:]
				done++
				worst[n], last[n] = max(worst[n], done-last[n]), done
				if done < turns {
					rqs = append(rqs, submit(t, iss, d, done))
				}
			}
		})
	}
	s.play()
	for n, w := range worst {
		s.want(w <= passedBy, "LUN %d had commands waiting while %d of others completed", n, w)
	}
}
