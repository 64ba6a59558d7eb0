package ffsb

import "hostlock/workload/ffsb/profile"

// tally is what FFSB counts, for one thread or for several together.
type tally struct {
	ops [profile.NumOps]opTally
}

// opTally is what FFSB counts of one operation.
type opTally struct {
	transactions int64
	calls        int64 // what FFSB calls the operation's weight
	bytes        int64
}

func (t *tally) add(o *tally) {
	for i := range t.ops {
		t.ops[i].transactions += o.ops[i].transactions
		t.ops[i].calls += o.ops[i].calls
		t.ops[i].bytes += o.ops[i].bytes
	}
}

// total adds the operations up; bytes read and written are apart.
func (t *tally) total() (transactions, calls, read, wrote int64) {
	for _, op := range profile.Ops() {
		o := t.ops[op]
		transactions += o.transactions
		calls += o.calls
		switch {
		case op.Reads():
			read += o.bytes
		case op.Writes():
			wrote += o.bytes
		}
	}
	return
}
