package strategytest

// Option is something about a strategy that its contract leaves open.
type Option func(*options)

type options struct {
	stalls string // why it may have them; "" is that it may not
}

// Stalls says that the strategy may lose a wake-up for which the 3 ms timer of a
// plug makes up, and why that is meant. Without it every such stall in an explored
// schedule fails the test, as under `lab verify --strict`.
func Stalls(why string) Option {
	return func(o *options) { o.stalls = why }
}
