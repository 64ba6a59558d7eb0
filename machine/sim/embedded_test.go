package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/machine/theory"
)

// embedded solves a lock whose hand-off is known at the release: with k waiters
// the lock first travels for a fixed time handoff(k), be it to whoever comes to
// the free lock, then its section lasts an exponential time of mean s; thinking is exponential of mean
// a. The hand-off is fixed at the release, so the chain is embedded there:
// its state is the number of waiters that a release leaves behind.
//
// It returns the acquisitions per unit of time and the mean number of waiters,
// the one that the lock travels to included, over time.
func embedded(n int, a, s float64, handoff func(k int) float64) (throughput, waiting float64) {
	// State k in 0..n-1: waiters just after a release. From k > 0 the next
	// release comes after handoff(k) + section, during which each of the
	// n-k thinkers joins independently: those who arrive make the new state
	// k-1 plus arrivals. From 0 the lock is idle until one of n arrives; that
	// one holds it for the section while n-1 think.
	//
	// The releaser itself thinks from the moment of its release.
	trans := make([][]float64, n)
	for k := range n {
		trans[k] = make([]float64, n)
		thinkers, left := n-k, k-1
		if k == 0 {
			thinkers, left = n-1, 0
		}
		fixed := handoff(k)
		for j, p := range arrivals(thinkers, a, fixed, s) {
			if left+j < n {
				trans[k][left+j] += p
			}
		}
	}
	pi := stationary(trans)
	cycle, area := 0.0, 0.0
	for k, p := range pi {
		idle, waiting0, thinkers := 0.0, float64(k), float64(n-k)
		if k == 0 {
			idle, thinkers = a/float64(n), float64(n-1)
		}
		fixed := handoff(k)
		cycle += p * (idle + fixed + s)
		// Waiters over the hand-off: those left, and the mean of those joined so far.
		joined := func(t float64) float64 { return thinkers * (t - a*(1-math.Exp(-t/a))) }
		area += p * (waiting0*fixed + joined(fixed))
		// Over the exponential section: one of the waiters is now the holder.
		base := math.Max(waiting0-1, 0) + thinkers*(1-math.Exp(-fixed/a))
		still := thinkers * math.Exp(-fixed/a)
		area += p * (base*s + still*(s-s*a/(a+s)))
	}
	return 1 / cycle, area / cycle
}

// arrivals is the distribution of how many of m thinkers of mean a arrive
// during a fixed time and then an exponential one of mean s.
func arrivals(m int, a, fixed, s float64) []float64 {
	// Those who arrive in the fixed time are binomial; during the exponential
	// time arrivals race its end: with i thinkers left the next event is an
	// arrival with probability (i/a)/(i/a+1/s).
	q := 1 - math.Exp(-fixed/a)
	out := make([]float64, m+1)
	for j, p := range binomial(m, q) {
		rest := p
		for i := m - j; ; i-- {
			arrive := float64(i) / a / (float64(i)/a + 1/s)
			out[m-i] += rest * (1 - arrive)
			rest *= arrive
			if i == 0 {
				break
			}
		}
	}
	return out
}

func binomial(m int, q float64) []float64 {
	out := make([]float64, m+1)
	if q <= 0 {
		out[0] = 1
		return out
	}
	for j := range out {
		lg, _ := math.Lgamma(float64(m + 1))
		l1, _ := math.Lgamma(float64(j + 1))
		l2, _ := math.Lgamma(float64(m - j + 1))
		out[j] = math.Exp(lg - l1 - l2 + float64(j)*math.Log(q) + float64(m-j)*math.Log1p(-q))
	}
	return out
}

// stationary solves pi = pi T by power iteration: the chains here mix in a
// few steps.
func stationary(t [][]float64) []float64 {
	n := len(t)
	pi, next := make([]float64, n), make([]float64, n)
	pi[0] = 1
	for range 100000 {
		clear(next)
		for i, p := range pi {
			for j, q := range t[i] {
				next[j] += p * q
			}
		}
		diff := 0.0
		for i := range pi {
			diff += math.Abs(pi[i] - next[i])
		}
		pi, next = next, pi
		if diff < 1e-12 {
			break
		}
	}
	return pi
}

// Without a hand-off the embedded chain is the machine repairman, so two
// derivations that share no line must agree.
func TestEmbeddedIsRepairman(t *testing.T) {
	for _, n := range []int{1, 2, 5, 16, 48} {
		c := theory.Solve(n, 9600, theory.Constant(400))
		x, w := embedded(n, 9600, 400, func(int) float64 { return 0 })
		require.InEpsilon(t, c.Throughput, x, 1e-6, "n=%d", n)
		require.InDelta(t, c.Waiting(), w, 1e-6, "n=%d", n)
	}
}
