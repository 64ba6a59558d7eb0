package strategies

import "hostlock/machine"

// LockHost and UnlockHost implement dispatch.HostLocker: a driver that relies
// on the host lock in queuecommand takes it in its own threads, too. Where it
// does not, nobody calls them.

func (s *hostLock) LockHost(t *machine.Thread)   { lockIRQ(t, &s.lock) }
func (s *hostLock) UnlockHost(t *machine.Thread) { unlockIRQ(t, &s.lock) }

func (s *perQueue) LockHost(t *machine.Thread)   { lockIRQ(t, &s.qcmd.lock) }
func (s *perQueue) UnlockHost(t *machine.Thread) { unlockIRQ(t, &s.qcmd.lock) }

func (s *ring) LockHost(t *machine.Thread)   { lockIRQ(t, &s.qcmd.lock) }
func (s *ring) UnlockHost(t *machine.Thread) { unlockIRQ(t, &s.qcmd.lock) }
