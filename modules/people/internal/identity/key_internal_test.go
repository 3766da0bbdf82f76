package identity

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// Go, which stores the hash of a suppressed name, and SQL, which looks for it among posts, make the same one.
func TestNameHashInSQL(t *testing.T) {
	t.Parallel()
	const letters = "abcxyz|'é ŁÅ日-0"
	rng := rand.New(rand.NewPCG(28, 11))
	word := func() string {
		var w []rune
		for range rng.IntN(7) {
			w = append(w, []rune(letters)[rng.IntN(len([]rune(letters)))])
		}
		return string(w)
	}
	crds, lasts, firsts, want := make([]string, 200), make([]string, 200), make([]string, 200), make([]string, 200)
	for i := range want {
		crds[i], lasts[i], firsts[i] = word(), word(), word()
		want[i] = nameHash(crds[i], lasts[i], firsts[i])
	}
	got, err := database.Values[string](t.Context(), dbtest.New(t), "hash names",
		"SELECT "+nameHashSQL+" FROM unnest(@crds::text[], @lasts::text[], @firsts::text[]) WITH ORDINALITY p (crd, last_key, first_key, n) ORDER BY n",
		database.Args{"crds": crds, "lasts": lasts, "firsts": firsts})
	require.NoError(t, err)
	require.Equal(t, want, got)
}
