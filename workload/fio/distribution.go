package fio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

func setDistribution(j *job, v string) error {
	c, err := distribution(v, j.kbBase)
	if err == nil {
		j.dist = c
	}
	return err
}

const legalDistributions = "random, zipf:THETA, pareto:H, normal:PERCENT, zoned:ACCESS/SIZE:..., zoned_abs:ACCESS/SIZE:..."

// distribution reads a random_distribution. Shape parameters may have a centre
// behind another colon, which is refused.
func distribution(v string, kbBase int) (c choice, err error) {
	kind, arg, given := strings.Cut(v, ":")
	c.kind = kind
	shape := func(def, lo, hi float64) error {
		c.theta = def
		if !given {
			return nil
		}
		if strings.Contains(arg, ":") {
			return fmt.Errorf("a centre of the distribution is not built; legal: %s", legalDistributions)
		}
		t, err := strconv.ParseFloat(arg, 64)
		if err != nil || !(t > lo) || t >= hi {
			return fmt.Errorf("%q; legal: more than %g, less than %g", arg, lo, hi)
		}
		c.theta = t
		return nil
	}
	switch kind {
	case "random":
		return c, nil
	case "zipf":
		if err = shape(1.1, 0, 100); err == nil && c.theta == 1 {
			err = fmt.Errorf("theta 1 has no such distribution; legal: another one, such as 1.01")
		}
	case "pareto":
		err = shape(0.2, 0, 1)
	case "normal", "gauss":
		c.kind = "normal"
		err = shape(0, 0, 100)
	case "zoned", "zoned_abs":
		err = c.readZones(arg, kbBase)
	default:
		err = fmt.Errorf("unknown value; legal: %s", legalDistributions)
	}
	return c, err
}

func (c *choice) readZones(text string, kbBase int) error {
	parts, err := directions(text)
	if err != nil {
		return err
	}
	for d, list := range parts {
		access, size := 0.0, 0.0
		for part := range strings.SplitSeq(list, ":") {
			a, s, ok := strings.Cut(part, "/")
			if !ok {
				return fmt.Errorf("%q; legal: %s", part, legalDistributions)
			}
			z := zone{}
			if z.access, err = shareOrRest(a); err == nil && c.kind == "zoned" {
				z.size, err = shareOrRest(s)
			} else if err == nil {
				z.bytes, err = atLeast(s, kbBase, 1)
			}
			if err != nil {
				return err
			}
			access, size = access+max(z.access, 0), size+max(z.size, 0)
			if c.zones[d] = append(c.zones[d], z); len(c.zones[d]) > 256 {
				return fmt.Errorf("more than 256 zones; legal: up to 256, as in fio")
			}
		}
		open, openSize := 0, 0
		for _, z := range c.zones[d] {
			open += btoi(z.access < 0)
			openSize += btoi(z.size < 0)
		}
		for i := range c.zones[d] {
			if z := &c.zones[d][i]; z.access < 0 {
				z.access = max(100-access, 0) / float64(open)
			}
			if z := &c.zones[d][i]; z.size < 0 {
				z.size = max(100-size, 0) / float64(openSize)
			}
		}
		if access > 100.01 || access < 99.99 && open == 0 || size > 100.01 {
			return fmt.Errorf("shares of %g %% of operations on %g %% of the file; legal: 100 %% on up to 100 %%", access, size)
		}
	}
	return nil
}

// shareOrRest reads a share; -1 stands for a part of what the others leave.
func shareOrRest(text string) (float64, error) {
	if strings.TrimSpace(text) == "" {
		return -1, nil
	}
	return percent(text)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func setService(j *job, v string) error {
	kind, more, counted := strings.Cut(v, ":")
	j.service, j.serviceRun = choice{kind: kind}, 1
	switch kind {
	case "roundrobin", "sequential", "random":
		if counted {
			n, err := count(more, 1, 1<<30)
			j.serviceRun = int(n)
			return err
		}
		return nil
	case "zipf", "pareto", "normal", "gauss":
		c, err := distribution(v, j.kbBase)
		j.service = c
		return err
	}
	return fmt.Errorf("unknown value; legal: roundrobin, sequential, random, zipf, pareto, normal")
}

// golden64 is 2^64 over the golden ratio, the multiplier of Knuth's multiplicative
// hashing (The Art of Computer Programming, volume 3, 6.4).
const golden64 = 0x9e3779b97f4a7c15

// ranks draws the numbers 0 to n-1 by a distribution, popular ones spread over
// the range by multiplication, as fio spreads them: where n is a power of two each
// rank has a number of its own, else two may fall on one.
type ranks struct {
	n     int64
	kind  string
	shift uint64
	// zipf
	theta, alpha, eta, zetan, second float64
	power                            float64 // pareto
	dev                              float64 // normal: width of what is added
}

func newRanks(c choice, n int64, r *rand.Rand) *ranks {
	k := &ranks{n: n, kind: c.kind, theta: c.theta, shift: r.Uint64()}
	switch c.kind {
	case "zipf":
		// Gray et al., "Quickly generating billion-record synthetic databases",
		// SIGMOD 1994: an approximation that needs the two zeta sums alone.
		k.alpha, k.second = 1/(1-c.theta), 1+math.Pow(0.5, c.theta)
		k.zetan = zeta(n, c.theta)
		k.eta = (1 - math.Pow(2/float64(n), 1-c.theta)) / (1 - k.second/k.zetan)
	case "pareto":
		k.power = math.Log(c.theta) / math.Log(1-c.theta) // a share of h has 1-h of the operations
	case "normal":
		k.dev = math.Min(math.Ceil(float64(n)*c.theta/100), float64(n/2))
	}
	return k
}

// zeta is the sum of i^-theta for i of 1 to n: the first ten thousand as they
// are, the others by the integral, whose error is the next term of
// Euler-Maclaurin, below 1e-9 here.
func zeta(n int64, theta float64) float64 {
	const exact = 10_000
	sum := 0.0
	for i := int64(1); i <= min(n, exact); i++ {
		sum += math.Pow(float64(i), -theta)
	}
	if n > exact {
		a, b := float64(exact), float64(n)
		sum += (math.Pow(b, 1-theta)-math.Pow(a, 1-theta))/(1-theta) + (math.Pow(b, -theta)-math.Pow(a, -theta))/2
	}
	return sum
}

func (k *ranks) next(r *rand.Rand) int64 {
	var rank int64
	switch k.kind {
	case "zipf":
		u := r.Float64()
		switch z := u * k.zetan; {
		case z < 1 || k.n < 2:
		case z < k.second || k.n < 3:
			rank = 1
		default:
			rank = int64(float64(k.n) * math.Pow(k.eta*u-k.eta+1, k.alpha))
		}
	case "pareto":
		rank = int64(float64(k.n-1) * math.Pow(r.Float64(), k.power))
	case "normal":
		// As measured of fio 3.33 with D of 1, 5, 10, 20 and 40 on 1024 blocks, the
		// mean of twelve uniform numbers over the file, whose standard deviation is a
		// twelfth of it, and one of D percent's width: D changes little.
		sum := k.dev * (r.Float64() - 0.5)
		for range 12 {
			sum += float64(k.n) / 12 * r.Float64()
		}
		rank = int64(sum)
	default:
		return r.Int64N(k.n)
	}
	rank = (rank%k.n + k.n) % k.n
	return int64((uint64(rank)*golden64 + k.shift%uint64(k.n)) % uint64(k.n))
}

// scatter mixes bits: the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
