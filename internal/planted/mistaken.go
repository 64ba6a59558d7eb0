package planted

import (
	"hostlock/dispatch/eh"
)

// mistaken are mistakes of the path's own error handling, under the sketch
// without a fault, and one of a driver's.
var mistaken = []Fault{
	{Name: "double completion", About: "the driver's completion counts although the command has timed out", Mistake: eh.LateCounts, Strategy: Sound},
	{Name: "turns not numbered", About: "a command's way to the driver is not told from the one before", Mistake: eh.TurnsAlike, Strategy: Sound, Told: true},
	{Name: "late completion frees", About: "a completion that comes too late gives back slots that the error handler gives back, too", Mistake: eh.LateFrees, Strategy: Sound},
	{Name: "taken while called", About: "the error handler gets a command whose queuecommand still runs", Mistake: eh.TakenWhileCalled, Strategy: Sound},
	{Name: "host_failed kept", About: "host_failed is not counted down by the error handler", Mistake: eh.FailedKept, Strategy: Sound},
	{Name: "retries unlimited", About: "the error handler has a command tried again for ever", Mistake: eh.RetriesUnlimited, Strategy: Sound},
	{Name: "given up unaborted", About: "a command that the driver still has is given up, and used again", Mistake: eh.ReusedUnaborted, Strategy: Sound, Told: true},
	{Name: "hasty abort", About: "the driver says that a command is aborted whose completion is under way", Set: map[string]string{"verify.abort": "hasty"}, Strategy: Sound},
	{Name: "only its own queue", About: "after recovery only the queues of the LUNs that failed are run", Mistake: eh.OwnQueuesOnly, Strategy: Sound, Told: true},
	{Name: "stays online", About: "a device that nothing has brought back is not taken offline", Mistake: eh.OfflineSkipped, Strategy: Sound, Told: true},
	{Name: "timer forgotten", About: "a command that gets its time once more gets no timer", Mistake: eh.TimerForgotten, Strategy: Sound, Told: true},
	{Name: "sense data ignored", About: "REQUEST SENSE is not sent, and the reset handlers get the command", Mistake: eh.SenseSkipped, Strategy: Sound, Told: true},
}
