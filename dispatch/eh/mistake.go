package eh

// Mistake is a wrong turn that error handling can be told to take, so that
// verification can be shown to find it. No parameter asks for one.
type Mistake uint8

const (
	NoMistake Mistake = iota
	// LateCounts: the driver's completion counts although the timer was first.
	LateCounts
	// LateFrees: such a completion does nothing but that the command's slots are
	// given back for it, and then again by the handler.
	LateFrees
	// TakenWhileCalled: the handler gets a command whose queuecommand still
	// runs.
	TakenWhileCalled
	// FailedKept: host_failed is not set back when recovery is over.
	FailedKept
	// OwnQueuesOnly: after recovery only the queues of what had failed are run.
	OwnQueuesOnly
	// RetriesUnlimited: nobody counts how often a command was tried again.
	RetriesUnlimited
	// ReusedUnaborted: a command that the driver may still have is given up and
	// used again.
	ReusedUnaborted
	// TimerForgotten: a command that gets its time once more gets no timer.
	TimerForgotten
	// TurnsAlike: a command's ways to the driver are not numbered.
	TurnsAlike
	// SenseSkipped: nobody asks for sense data.
	SenseSkipped
	// OfflineSkipped: a device that nothing has brought back stays online.
	OfflineSkipped
)
