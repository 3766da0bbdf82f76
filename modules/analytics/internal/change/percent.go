package change

import (
	"math"
	"math/big"
	"strconv"
)

var hundred = big.NewRat(100, 1)

// Percent is the growth of a number, in percent of its earlier value, rounded to two decimals. Nil if either is unknown, or the
// earlier one was zero.
func Percent(before, after *int64) *float64 {
	if before == nil || after == nil {
		return nil
	}
	return PercentOf(new(big.Rat).SetInt64(*before), new(big.Rat).SetInt64(*after))
}

// PercentOf is Percent of fractions. It calculates exactly, so that halves are rounded correctly (away from zero).
//
// Spec: not shown; a negative base counts with its absolute value, so that an increase is always positive.
func PercentOf(before, after *big.Rat) *float64 {
	if before.Sign() == 0 {
		return nil
	}
	p := new(big.Rat).Sub(after, before)
	p.Quo(p, new(big.Rat).Abs(before)).Mul(p, hundred)
	v, _ := strconv.ParseFloat(p.FloatString(2), 64) // a valid number of at most 22 digits
	if v == 0 {
		return new(float64) // a small loss would be -0
	}
	return &v
}

// difference is after less before; an overflow is clamped.
func difference(before, after int64) int64 {
	d := after - before
	switch {
	case before < 0 && after >= 0 && d < 0:
		return math.MaxInt64
	case before >= 0 && after < 0 && d >= 0:
		return math.MinInt64
	}
	return d
}
