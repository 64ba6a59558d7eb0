// Package theory has the closed forms that the simulated machine must agree
// with: the ticket-lock chain of Boyd-Wickizer et al. (OLS 2012, "Non-scalable
// locks are dangerous"), the machine repairman M/M/1//N, and the closed loop
// of two customers by which a live run's share is explained.
//
// Times are in seconds, or in any one unit throughout.
package theory

import "math"

// Service is the mean service time with k waiters behind the customer in
// service.
type Service func(k int) float64

// Ticket is the published service of a non-scalable lock: a section of length
// s, and c for each of half of the k waiters' reads.
func Ticket(s, c float64) Service {
	return func(k int) float64 { return s + c*float64(k)/2 }
}

// Scalable is the published service of a lock whose hand-off does not depend
// on the number of waiters.
func Scalable(s, c float64) Service {
	return func(k int) float64 {
		if k == 0 {
			return s
		}
		return s + c
	}
}

// Constant does not depend on the waiters: the machine repairman.
func Constant(s float64) Service { return func(int) float64 { return s } }

// Chain is the stationary state of n cores that think for a mean time a and
// then pass one lock.
type Chain struct {
	P          []float64 // P[k]: probability of k cores in the lock, holder included
	InLock     float64   // mean number of cores in the lock
	Throughput float64   // acquisitions per unit of time
}

// SpeedUp is the mean number of cores outside the lock.
func (c Chain) SpeedUp() float64 { return float64(len(c.P)-1) - c.InLock }

// Waiting is the mean number of cores that wait for the lock.
func (c Chain) Waiting() float64 {
	w := 0.0
	for k, p := range c.P {
		if k > 1 {
			w += p * float64(k-1)
		}
	}
	return w
}

// SpinShare is the share of all cores' time that goes into waiting.
func (c Chain) SpinShare() float64 { return c.Waiting() / float64(len(c.P)-1) }

// Solve balances P_k (n-k)/a = P_{k+1}/s(k), in which the one exponential
// service is re-rated at each arrival, as the published chain has it.
func Solve(n int, a float64, s Service) Chain {
	c := Chain{P: make([]float64, n+1)}
	logs := make([]float64, n+1)
	for k := range n {
		logs[k+1] = logs[k] + math.Log(float64(n-k)/a*s(k))
	}
	top := logs[0]
	for _, l := range logs {
		top = math.Max(top, l)
	}
	sum := 0.0
	for k, l := range logs {
		c.P[k] = math.Exp(l - top)
		sum += c.P[k]
	}
	for k := range c.P {
		c.P[k] /= sum
		c.InLock += float64(k) * c.P[k]
		if k > 0 {
			c.Throughput += c.P[k] / s(k-1)
		}
	}
	return c
}

// HoldOverThink is the r at which n cores that never idle spin the given
// share of their time, by the closed loop M/M/1//n.
func HoldOverThink(n int, share float64) float64 {
	lo, hi := 1e-9, 1e3
	for range 200 {
		mid := math.Sqrt(lo * hi)
		if Solve(n, 1, Constant(mid)).SpinShare() < share {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Sqrt(lo * hi)
}
