package secret_test

import (
	"crypto/sha256"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/keys/internal/secret"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

var shape = regexp.MustCompile(`^gpa_(live|test)_[1-9A-HJ-NP-Za-km-z]{43}$`)

func TestNewKeysAreKeys(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SampledFrom([]string{secret.Live, secret.Test}).Draw(t, "mode")
		key := secret.New(want)
		require.Regexp(t, shape, key)
		require.Len(t, key, secret.Length)
		mode, ok := secret.Parse(key)
		require.True(t, ok)
		require.Equal(t, want, mode)
		require.False(t, seen[key], "made twice")
		seen[key] = true
		require.Equal(t, secret.Hash(sha256.Sum256([]byte(key))), secret.Sum(key))
		require.Equal(t, "gpa_"+mode+"_…"+key[48:], secret.Hint(mode, secret.LastFour(key)))
	})
}

// Each single wrong character and each swap of neighbors is found without a look-up.
func TestTypingErrorsAreRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := []byte(secret.New(secret.Live))
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		swap := at+1 < len(key) && rapid.Bool().Draw(t, "swap")
		was := string(key)
		if swap {
			key[at], key[at+1] = key[at+1], key[at]
		} else {
			key[at] = rapid.SampledFrom([]byte(alphabet+"0OIl _-.\x00\xff")).Draw(t, "letter")
		}
		_, ok := secret.Parse(string(key))
		require.Equal(t, string(key) == was, ok, "%s → %s", was, key)
	})
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	key := secret.New(secret.Live)
	for name, text := range map[string]string{
		"nothing": "", "prefix": "gpa_live_", "cut": key[:51], "longer": key + "1", "spaces": " " + key[1:],
		"another service": "sky" + key[3:], "another mode": "gpa_prod_" + key[9:], "the other mode": "gpa_test_" + key[9:],
		"other letters": "GPA_LIVE_" + key[9:], "JWT": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0NzExIn0.c2lnbmF0dXJlLi4u",
	} {
		_, ok := secret.Parse(text)
		require.False(t, ok, name)
	}
	// Known from an independent CRC-32: the codec must not change, or keys that customers hold would die.
	mode, ok := secret.Parse("gpa_test_11111111111111111111111111111111111113ep3yS")
	require.True(t, ok)
	require.Equal(t, secret.Test, mode)
}

func FuzzParse(f *testing.F) {
	f.Add(secret.New(secret.Live))
	f.Add(secret.New(secret.Test))
	f.Add("gpa_live_")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		mode, ok := secret.Parse(text)
		if ok != (mode != "") {
			t.Fatalf("%q: %q, %v", text, mode, ok)
		}
		if ok && !shape.MatchString(text) {
			t.Fatalf("%q is taken for a key", text)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	key := secret.New(secret.Live)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := secret.Parse(key); !ok {
			b.Fatal("no key")
		}
		secret.Sum(key)
	}
}
