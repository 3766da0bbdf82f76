package sample

import (
	"math/bits"
	"math/rand/v2"
)

// random is one subject's own source of chance: what happens to one adviser never depends on how many others there are.
type random struct{ *rand.Rand }

// Purposes of a random source, so that one subject has several independent ones.
const (
	forOrganizations uint64 = iota + 1
	forRank
	forLife
	forFunds
	forMonth
	forPeople
	forOwners
	forHouse // offices, further numbers, affiliates
	forEvents
	forWithdrawal
	forNotices
	forCareers
	forLPs
	forBoards
)

func newRandom(seed, purpose, subject uint64) random {
	// #nosec G404 -- invented data must be the same on every run; nothing here is a secret.
	return random{rand.New(rand.NewPCG(mix(seed, purpose), mix(purpose, subject)))}
}

// mix scrambles two words into one (the finaliser of SplitMix64).
func mix(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// noise is a number of [low, high], fixed by the two words.
func noise(a, b uint64, low, high int64) int64 {
	span := uint64(high-low) + 1 // #nosec G115 -- callers pass low <= high
	hi, _ := bits.Mul64(mix(a, b), span)
	return low + int64(hi) // #nosec G115 -- hi < span
}

// chance is true in percent of 100 cases.
func (r random) chance(percent int) bool { return r.IntN(100) < percent }

// between is a number of [low, high].
func (r random) between(low, high int) int { return low + r.IntN(high-low+1) }

// weighted picks an index with a probability in proportion to its weight.
func (r random) weighted(weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	at := r.IntN(total)
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return len(weights) - 1
}

// one is 1 in the fixed-point numbers used here: 16 bits of fraction.
const one = 1 << 16

// normal is a draw of the standard normal distribution, in fixed point: twelve uniform ones have variance 1.
func (r random) normal() int64 {
	sum := int64(0)
	for range 12 {
		sum += int64(r.IntN(one))
	}
	return sum - 6*one
}

// logNormal draws around a median; sigma, in fixed point, counts doublings.
func (r random) logNormal(median, sigma int64) int64 {
	return scale(median, exp2(sigma*r.normal()/one))
}

// scale multiplies by a fixed-point factor. Neither may be negative.
func scale(v, factor int64) int64 {
	hi, lo := bits.Mul64(uint64(v), uint64(factor)) // #nosec G115 -- amounts and factors are not negative
	return int64(hi<<48 | lo>>16)                   // #nosec G115 -- amounts stay far below 2^62
}

// exp2 is 2 to the power of x, both in fixed point, within a thousandth: a cubic on the fraction, then a shift.
func exp2(x int64) int64 {
	whole, frac := x>>16, x&(one-1)
	m := one + frac*(45559+frac*(14822+frac*5113/one)/one)/one
	if whole < 0 {
		return m >> min(-whole, 40)
	}
	return m << min(whole, 24)
}

// isqrt is the integer square root.
func isqrt(v int64) int64 {
	if v <= 0 {
		return 0
	}
	x := int64(1) << ((bits.Len64(uint64(v)) + 1) / 2)
	for {
		y := (x + v/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
