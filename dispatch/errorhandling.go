package dispatch

// Error handling has its place here and is not built yet: timeouts (one timer
// a queue, whose handler competes with [Command.Done] for the command's atom),
// the list of failed commands and the thread that wakes when every outstanding
// command of a host has completed or failed, aborts and resets. Until then
// commands do not time out; the states of recovery can be set by hand
// ([Host.SetState]) and stop new commands as they should.
