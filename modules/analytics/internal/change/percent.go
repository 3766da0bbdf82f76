package change

import (
	"math"
	"math/big"
	"strconv"
)

var hundred = big.NewRat(100, 1)

// Percent is by how much a number has grown, in percent of what it was, rounded to two decimals. Nil where either is not
// known, or where it was zero.
func Percent(before, after *int64) *float64 {
	if before == nil || after == nil {
		return nil
	}
	return PercentOf(new(big.Rat).SetInt64(*before), new(big.Rat).SetInt64(*after))
}

// PercentOf is Percent of fractions. It counts exactly, so that a half is a half when it is rounded (away from zero).
//
// Spec: not shown; of a base below zero it is the percent of its size, so that more is always a plus.
func PercentOf(before, after *big.Rat) *float64 {
	if before.Sign() == 0 {
		return nil
	}
	p := new(big.Rat).Sub(after, before)
	p.Quo(p, new(big.Rat).Abs(before)).Mul(p, hundred)
	v, _ := strconv.ParseFloat(p.FloatString(2), 64) // it is a number, of 22 digits at most
	if v == 0 {
		return new(float64) // a small loss would be -0
	}
	return &v
}

// difference is after less before; it stays at the largest or least number rather than overflow.
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
