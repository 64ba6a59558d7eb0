package theory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The published equations' test vectors, times in ns.
func TestPublishedChain(t *testing.T) {
	for _, v := range []struct {
		s, a, c             float64
		n                   int
		ticket, mcs         float64
		ticketRate, mcsRate float64
	}{
		{400, 9600, 50, 8, 7.55, 7.54, 0.786, 0.785},
		{400, 9600, 50, 24, 16.19, 19.44, 1.687, 2.025},
		{400, 9600, 50, 48, 6.86, 21.33, 0.714, 2.222},
		{400, 9600, 100, 16, 13.66, 14.14, 1.422, 1.473},
		{400, 9600, 100, 24, 9.14, 18.26, 0.952, 1.903},
		{400, 9600, 100, 48, 3.75, 19.20, 0.391, 2.000},
		{1500, 8500, 100, 8, 4.77, 4.88, 0.562, 0.574},
		{1500, 8500, 100, 16, 4.18, 5.31, 0.491, 0.625},
		{1500, 8500, 100, 48, 2.28, 5.31, 0.268, 0.625},
		{250, 3750, 100, 12, 8.13, 9.29, 2.167, 2.478},
		{250, 3750, 100, 32, 2.23, 10.71, 0.593, 2.857},
	} {
		tk := Solve(v.n, v.a, Ticket(v.s, v.c))
		require.InDelta(t, v.ticket, tk.SpeedUp(), 0.006, "%+v", v)
		require.InDelta(t, v.ticketRate, tk.Throughput*1e3, 0.0006, "%+v", v)
		mcs := Solve(v.n, v.a, Scalable(v.s, v.c))
		require.InDelta(t, v.mcs, mcs.SpeedUp(), 0.006, "%+v", v)
		require.InDelta(t, v.mcsRate, mcs.Throughput*1e3, 0.0006, "%+v", v)
	}
}

// twoCustomers is the share of busy time that two cores spin, each holding
// for r times as long as it thinks, exponential times: r^2 / (1 + 2r + 2r^2)
// of all time. It is the closed loop of N = 2, where nobody idles.
func twoCustomers(r float64) float64 { return r * r / (1 + 2*r + 2*r*r) }

func TestTwoCustomers(t *testing.T) {
	for _, r := range []float64{0.157, 0.5, 1.26, 3} {
		require.InDelta(t, twoCustomers(r), Solve(2, 1, Constant(r)).SpinShare(), 1e-9)
	}
	require.InDelta(t, 1.26, HoldOverThink(2, 0.237), 0.01)
	require.InDelta(t, 0.157, HoldOverThink(2, 0.018), 0.001)
}
