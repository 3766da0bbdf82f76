package apikey

import (
	"crypto/sha256"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/auth"
)

// A flood of noise neither grows the cache beyond its bound nor pushes out the keys that are known.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	hash := func(i int) secret.Hash { return sha256.Sum256([]byte(strconv.Itoa(i))) }
	c := &cache{}
	for i := range 1000 {
		_, _, mark := c.find(hash(i))
		c.keep(hash(i), entry{principal: &auth.Principal{UserID: int64(i)}, at: now}, mark)
	}
	for i := 1000; i < 41_000; i++ {
		_, _, mark := c.find(hash(i))
		c.keep(hash(i), entry{at: now}, mark)
	}
	unknown := 0
	for i := range c {
		unknown += len(c[i].unknown)
		require.LessOrEqual(t, len(c[i].unknown), unknownMax)
	}
	require.Equal(t, unknownMax*shards, unknown)
	for i := range 1000 {
		e, found, _ := c.find(hash(i))
		require.True(t, found)
		require.EqualValues(t, i, e.principal.UserID)
	}
	for i := 50_000; i < 90_000; i++ {
		_, _, mark := c.find(hash(i))
		c.keep(hash(i), entry{principal: &auth.Principal{}, at: now}, mark)
	}
	for i := range c {
		require.Len(t, c[i].known, knownMax)
	}
	c.keep(hash(1), entry{principal: &auth.Principal{UserID: 7}, at: now}, 0)
	c.forgetUser(7)
	_, found, _ := c.find(hash(1))
	require.False(t, found)
	c.clear()
	_, found, mark := c.find(hash(90_000))
	require.False(t, found)
	c.forget(hash(90_000))
	c.keep(hash(90_000), entry{principal: &auth.Principal{}, at: now}, mark)
	_, found, _ = c.find(hash(90_000))
	require.False(t, found, "asked before the revocation")
}
