package dispatch

import "errors"

var (
	// ErrTooLarge and ErrBeyondEnd are of a request that never became a command.
	ErrTooLarge  = errors.New("request has more sectors or segments than the device takes in one command")
	ErrBeyondEnd = errors.New("request reaches beyond the end of the device")
	// ErrLivelock is what a run ends with in which a request was larger than any
	// table of scatter/gather entries, where midlayer.oversize says that the
	// mid-layer takes that for a lack of memory.
	ErrLivelock = errors.New("livelock: a request has more segments than the largest scatter/gather table, which 2.6.20 takes for a lack of memory; it is put off for ever")
	// ErrNoRecoverer is why a strategy cannot run with midlayer.error_handling.
	ErrNoRecoverer = errors.New("it is no dispatch.Recoverer")
	// ErrRecovers is of a strategy that is a Recoverer and does not say so, or says
	// so and is none.
	ErrRecovers = errors.New("StrategyInfo.Recovers must say whether what New makes is a dispatch.Recoverer")
)
