package profile

// Op is an operation of FFSB. The fifteen of generation C are enough for all:
// A's writeweight appends, B's meta_weight is metaop, and B's fsync_file
// turns write, create and append into their fsync forms.
type Op int

// The operations, in the order of FFSB 6.0's own list.
const (
	OpRead Op = iota
	OpReadall
	OpWrite
	OpCreate
	OpAppend
	OpDelete
	OpMetaop
	OpCreatedir
	OpStat
	OpWriteall
	OpWriteallFsync
	OpOpenClose
	OpWriteFsync
	OpCreateFsync
	OpAppendFsync

	NumOps int = iota // how many operations there are
)

var opNames = [NumOps]string{
	OpRead:          "read",
	OpReadall:       "readall",
	OpWrite:         "write",
	OpCreate:        "create",
	OpAppend:        "append",
	OpDelete:        "delete",
	OpMetaop:        "metaop",
	OpCreatedir:     "createdir",
	OpStat:          "stat",
	OpWriteall:      "writeall",
	OpWriteallFsync: "writeall_fsync",
	OpOpenClose:     "open_close",
	OpWriteFsync:    "write_fsync",
	OpCreateFsync:   "create_fsync",
	OpAppendFsync:   "append_fsync",
}

// Ops returns all operations, in order.
func Ops() []Op {
	ops := make([]Op, NumOps)
	for i := range ops {
		ops[i] = Op(i)
	}
	return ops
}

// String returns FFSB's spelling, such as "writeall_fsync".
func (o Op) String() string {
	if o < 0 || int(o) >= NumOps {
		return "unknown"
	}
	return opNames[o]
}

// Fsync reports whether the operation ends with an fsync.
func (o Op) Fsync() bool {
	switch o {
	case OpWriteFsync, OpWriteallFsync, OpCreateFsync, OpAppendFsync:
		return true
	}
	return false
}

// Base returns the operation without its fsync: write for write_fsync.
func (o Op) Base() Op {
	switch o {
	case OpWriteFsync:
		return OpWrite
	case OpWriteallFsync:
		return OpWriteall
	case OpCreateFsync:
		return OpCreate
	case OpAppendFsync:
		return OpAppend
	}
	return o
}

// Reads reports whether the operation reads data, in blocks of ReadBlocksize.
func (o Op) Reads() bool { return o == OpRead || o == OpReadall }

// Writes reports whether the operation writes data, in blocks of
// WriteBlocksize.
func (o Op) Writes() bool {
	switch o.Base() {
	case OpWrite, OpWriteall, OpCreate, OpAppend:
		return true
	}
	return false
}

// NeedsFile reports whether the operation starts by choosing a file, which
// makes FFSB abort when there is none.
func (o Op) NeedsFile() bool {
	switch o.Base() {
	case OpCreate, OpMetaop, OpCreatedir:
		return false
	}
	return true
}

// Syscall is a system call that FFSB can measure.
type Syscall int

// The system calls. FFSB counts the open of a new file as both open and create.
const (
	SysOpen Syscall = iota
	SysRead
	SysWrite
	SysCreate
	SysLseek
	SysUnlink
	SysClose
	SysStat

	NumSyscalls int = iota // how many system calls there are
)

var syscallNames = [NumSyscalls]string{"open", "read", "write", "create", "lseek", "unlink", "close", "stat"}

// String returns FFSB's spelling.
func (s Syscall) String() string {
	if s < 0 || int(s) >= NumSyscalls {
		return "unknown"
	}
	return syscallNames[s]
}
