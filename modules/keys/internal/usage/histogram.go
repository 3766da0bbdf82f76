package usage

import (
	"math/bits"
	"strconv"
)

// Durations are counted in fixed steps of microseconds: each up to 7, and four steps to every doubling beyond, so that a
// step is at most a quarter of its value wide. The last step holds all from about a minute on.
const (
	linear  = 8
	perPow2 = 4
	steps   = linear + 23*perPow2
)

// histogram counts requests by duration.
type histogram [steps]int32

// stepOf is the step of a duration.
func stepOf(us int64) int {
	if us < 0 {
		us = 0
	}
	shift := max(0, bits.Len64(uint64(us))-3)
	return min(steps-1, shift*perPow2+int(us>>shift))
}

// lowest is the shortest duration of a step.
func lowest(step int) int64 {
	if step < linear {
		return int64(step)
	}
	shift := step/perPow2 - 1
	return int64(step-shift*perPow2) << shift
}

// literal is the histogram as PostgreSQL reads an array, without the empty steps at the end.
func (h *histogram) literal() string {
	last := len(h)
	for last > 0 && h[last-1] == 0 {
		last--
	}
	text := make([]byte, 0, 2*last+8)
	text = append(text, '{')
	for i, n := range h[:last] {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(append(text, '}'))
}

func (h *histogram) add(other *histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// percentile95 estimates the duration that 95 percent of the requests do not exceed, from the counts by step, assuming an even
// distribution within a step. The result is between the shortest and the longest duration.
func percentile95(counts []int64, shortest, longest int64) float64 {
	var total int64
	for _, n := range counts {
		total += n
	}
	rank := 0.95 * float64(total)
	var before int64
	for step, n := range counts {
		if n == 0 || float64(before+n) < rank {
			before += n
			continue
		}
		low, high := float64(lowest(step)), float64(lowest(step+1))
		if step >= steps-1 {
			high = float64(longest)
		}
		value := low + (high-low)*(rank-float64(before))/float64(n)
		return min(max(value, float64(shortest)), float64(longest))
	}
	return float64(longest)
}
