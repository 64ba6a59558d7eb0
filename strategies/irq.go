package strategies

import "hostlock/machine"

// lockIRQ is spin_lock_irq: interrupts are off from before the lock is drawn,
// or a handler that takes it could wait for the thread that it interrupted.
func lockIRQ(t *machine.Thread, l *machine.SpinLock) {
	t.IRQSave()
	l.Lock(t)
}

// unlockIRQ is spin_unlock_irq. Every verb of a strategy is entered with
// interrupts on, so it turns them on again without asking.
func unlockIRQ(t *machine.Thread, l *machine.SpinLock) {
	l.Unlock(t)
	t.IRQRestore(false)
}
