package index

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
		chosen := newWords(40 * 64)
		positions := []uint32{}
		for i := range uint32(40 * 64) {
			if rng.Uint32N(64) < thickness {
				chosen.set(i)
				positions = append(positions, i)
			}
		}
		g := newGatherer(chosen)
		for range 20 {
			hits, together, want := newWords(40*64), newWords(41*64), newWords(41*64)
			for k, position := range positions {
				if rng.IntN(2) == 0 {
					hits.set(position)
					want.set(uint32(k))
				}
			}
			for i := range g.words {
				put(together, g.words[i].at, g.words[i].gather(hits[i]))
			}
			require.Equal(t, want, together)
			back := newWords(40 * 64)
			for i := range g.words {
				back[i] = g.words[i].scatter(read64(together, g.words[i].at))
			}
			require.Equal(t, hits, back)
		}
	}
}

// The larger the index, the smaller a share of it may gather as garbage; a small one leaves the collector as it is.
func TestGarbagePercent(t *testing.T) {
	t.Parallel()
	require.Equal(t, 100, garbagePercent(0))
	require.Equal(t, 100, garbagePercent(10<<20))
	require.Equal(t, 32, garbagePercent(200<<20))
	require.Equal(t, leastPercent, garbagePercent(2<<30))
}
