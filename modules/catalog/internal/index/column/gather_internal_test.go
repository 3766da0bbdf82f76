package column

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Gathering and scattering by masks is what looking at each bit gives, for thin, thick and full choices.
func TestGatherAndScatter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 9))
	for _, thickness := range []uint32{0, 1, 8, 32, 63, 64} {
		chosen := NewBits(40 * 64)
		positions := []uint32{}
		for i := range uint32(40 * 64) {
			if rng.Uint32N(64) < thickness {
				chosen.Set(i)
				positions = append(positions, i)
			}
		}
		g := newGatherer(chosen)
		for range 20 {
			hits, together, want := NewBits(40*64), NewBits(41*64), NewBits(41*64)
			for k, position := range positions {
				if rng.IntN(2) == 0 {
					hits.Set(position)
					want.Set(uint32(k))
				}
			}
			for i := range g.words {
				put(together, g.words[i].at, g.words[i].gather(hits[i]))
			}
			require.Equal(t, want, together)
			back := NewBits(40 * 64)
			for i := range g.words {
				back[i] = g.words[i].scatter(read64(together, g.words[i].at))
			}
			require.Equal(t, hits, back)
		}
	}
}

// The stretches that a set touches are those that looking at each of its records gives: with empty stretches, some longer
// than a word, at the beginning and at the end.
func TestStretches(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		start := []int{0}
		for range 1 + rng.IntN(150) {
			long := []int{0, 0, 1, 2, rng.IntN(40), rng.IntN(200)}[rng.IntN(6)]
			start = append(start, start[len(start)-1]+long)
		}
		n := len(start) - 1
		s := NewRuns(start)
		hits, want := NewBits(start[n]), NewBits(n)
		thin := 1 + rng.IntN(100)
		for i := range n {
			for at := start[i]; at < start[i+1]; at++ {
				if rng.IntN(thin) == 0 {
					hits.Set(uint32(at))
					want.Set(uint32(i))
				}
			}
		}
		got, space := NewBits(n), NewBits(n+64)
		got.SetRange(0, uint32(n)) // what stood there before does not matter
		s.Touched(got, space, hits)
		require.Equal(t, want, got)
	}
}
